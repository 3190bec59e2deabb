/**
 * Masked bytes as a soft noise: seen when a number is sent and when the masks cancel.
 *
 * Decoration only: everything it shows is said in words beside it, and it keeps still for people
 * who asked for less motion.
 */
import { html, type TemplateResult } from "lit";
import { View } from "./view.ts";

const CELL = 6;
const still = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** A reproducible noise in 0..1 by position; pictures need no good randomness. */
export function grain(x: number, y: number, seed: number): number {
  let h = (x * 374761393 + y * 668265263 + seed * 2246822519) | 0;
  h = Math.imul(h ^ (h >>> 13), 1274126177);
  return ((h ^ (h >>> 16)) >>> 0) / 0xffffffff;
}

/** A canvas that fits its box, follows the theme and may play once for `playMs`. */
abstract class Canvas extends View {
  protected playMs = 0;
  #start = 0;
  #frame = 0;
  #resize: ResizeObserver | undefined;
  readonly #theme = matchMedia("(prefers-color-scheme: dark)");
  readonly #repaint = (): void => this.#schedule();

  /** Paints the picture at `t`, from 0 when it starts to 1 when it rests. */
  protected abstract paint(pen: CanvasRenderingContext2D, width: number, height: number, t: number): void;

  override connectedCallback(): void {
    super.connectedCallback();
    this.setAttribute("aria-hidden", "true");
    this.#resize = new ResizeObserver(this.#repaint);
    this.#resize.observe(this);
    this.#theme.addEventListener("change", this.#repaint);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#resize?.disconnect();
    this.#theme.removeEventListener("change", this.#repaint);
    cancelAnimationFrame(this.#frame);
  }

  protected override render(): TemplateResult {
    return html`<canvas></canvas>`;
  }

  protected override firstUpdated(): void {
    this.play();
  }

  /** Plays from the start; at once at rest where motion is unwanted. */
  protected play(): void {
    this.#start = still() ? -Infinity : performance.now();
    this.#schedule();
  }

  #schedule(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame((now) => this.#draw(now));
  }

  #draw(now: number): void {
    const t = this.playMs > 0 ? Math.min(1, Math.max(0, (now - this.#start) / this.playMs)) : 1;
    const canvas = this.querySelector("canvas");
    const pen = canvas?.getContext("2d");
    if (!canvas || !pen) return;
    const { clientWidth: width, clientHeight: height } = this;
    const scale = Math.min(2, devicePixelRatio || 1);
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    pen.scale(scale, scale);
    pen.fillStyle = getComputedStyle(this).color;
    pen.strokeStyle = pen.fillStyle;
    this.paint(pen, width, height, t);
    if (t < 1) this.#schedule();
  }
}

/** One cell: softer than a pixel, so that the grid does not look like a QR code. */
function dot(pen: CanvasRenderingContext2D, x: number, y: number, size: number, alpha: number): void {
  if (alpha < 0.02) return;
  pen.globalAlpha = alpha;
  pen.beginPath();
  pen.roundRect?.(x + 0.5, y + 0.5, size - 1, size - 1, size / 3);
  pen.fill();
}

/** The very bytes that left: one cell for each half byte, darker for more. */
export class BytesNoise extends Canvas {
  static override properties = { bytes: { attribute: false } };
  declare bytes: Uint8Array;
  protected override playMs = 700;

  protected paint(pen: CanvasRenderingContext2D, width: number, height: number, t: number): void {
    const halves = this.bytes.length * 2;
    const size = cellSize(halves, width, height);
    const columns = Math.max(1, Math.floor(width / size));
    for (let i = 0; i < halves; i++) {
      const [x, y] = [i % columns, Math.floor(i / columns)];
      if (grain(x, y, 3) > t) continue;
      dot(pen, x * size, y * size, size, 0.06 + 0.9 * (this.#half(i) / 15) ** 1.5);
    }
  }

  #half(i: number): number {
    const byte = this.bytes[i >> 1] ?? 0;
    return i % 2 === 0 ? byte >> 4 : byte & 15;
  }
}

/** The largest cell with which `count` cells fit the box, within reason. */
export function cellSize(count: number, width: number, height: number): number {
  for (let size = 2 * CELL; size > 2; size--) {
    if (Math.floor(width / size) * Math.floor(height / size) >= count) return size;
  }
  return 2;
}

const TILE = 36;
const TILE_GAP = 8;

/** One tile for each person: noise once their masked number is in, an outline before. */
export class PeopleNoise extends Canvas {
  static override properties = { of: { type: Number }, filled: { type: Number } };
  declare of: number;
  declare filled: number;

  protected override updated(): void {
    this.style.setProperty("--rows", String(this.#rows(this.clientWidth)));
    this.play();
  }

  protected paint(pen: CanvasRenderingContext2D, width: number): void {
    const columns = this.#columns(width);
    for (let i = 0; i < this.of; i++) {
      const x = (i % columns) * (TILE + TILE_GAP);
      const y = Math.floor(i / columns) * (TILE + TILE_GAP);
      if (i < this.filled) this.#noisy(pen, x, y, i);
      else this.#empty(pen, x, y);
    }
  }

  /** As many in a row as fit, but with rows of equal length. */
  #columns(width: number): number {
    return Math.max(1, Math.ceil(this.of / this.#rows(width)));
  }

  #rows(width: number): number {
    const fitting = Math.max(1, Math.floor((width + TILE_GAP) / (TILE + TILE_GAP)));
    return Math.max(1, Math.ceil(this.of / fitting));
  }

  #noisy(pen: CanvasRenderingContext2D, x: number, y: number, seed: number): void {
    for (let i = 0; i < 36; i++) {
      const [column, row] = [i % 6, Math.floor(i / 6)];
      dot(pen, x + column * CELL, y + row * CELL, CELL, 0.08 + 0.9 * grain(column, row, seed + 11) ** 2);
    }
  }

  #empty(pen: CanvasRenderingContext2D, x: number, y: number): void {
    pen.globalAlpha = 0.55;
    pen.lineWidth = 1.5;
    pen.setLineDash([3, 4]);
    pen.beginPath();
    pen.roundRect?.(x + 1, y + 1, TILE - 2, TILE - 2, 6);
    pen.stroke();
  }
}

/** A veil of noise over a result that dissolves as the masks cancel. */
export class VeilNoise extends Canvas {
  protected override playMs = 1400;

  protected paint(pen: CanvasRenderingContext2D, width: number, height: number, t: number): void {
    if (t >= 1) return;
    for (let y = 0; y * CELL < height; y++) {
      for (let x = 0; x * CELL < width; x++) {
        const life = 0.35 + 0.65 * grain(x, y, 7);
        const left = Math.max(0, 1 - t / life);
        dot(pen, x * CELL, y * CELL, CELL, left * (0.15 + 0.75 * grain(x, y, 5)));
      }
    }
  }
}

/** The first page's band: noise on the left thins out, and one plain line is left. */
export class BandNoise extends Canvas {
  protected override playMs = 1600;

  protected paint(pen: CanvasRenderingContext2D, width: number, height: number, t: number): void {
    const columns = Math.floor(width / CELL);
    const rows = Math.floor((height - CELL) / CELL);
    for (let y = 0; y < rows; y++) {
      for (let x = 0; x < columns; x++) {
        const thinning = 1.15 - (x / columns) * (0.6 + t);
        const alpha = grain(x, y, 2) < thinning ? 0.06 + 0.8 * grain(x, y, 9) ** 2 * thinning : 0;
        dot(pen, x * CELL, y * CELL, CELL, alpha);
      }
    }
    pen.globalAlpha = 1;
    pen.fillRect(0, height - 3, width * t, 3);
  }
}

customElements.define("ut-bytes-noise", BytesNoise);
customElements.define("ut-people-noise", PeopleNoise);
customElements.define("ut-veil-noise", VeilNoise);
customElements.define("ut-band-noise", BandNoise);
