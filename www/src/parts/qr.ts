/** A QR code as one SVG path. Always dark on light with its quiet zone: cameras need that. */
import { encode } from "uqr";
import { html, type TemplateResult } from "lit";

const QUIET = 4;

export function qrCode(text: string, label: string): TemplateResult {
  const { data, size } = encode(text, { ecc: "M", border: 0 });
  const side = size + 2 * QUIET;
  return html`<svg class="qr" viewBox="0 0 ${side} ${side}" role="img" aria-label=${label} shape-rendering="crispEdges">
    <rect class="qr-paper" width=${side} height=${side} />
    <path class="qr-ink" d=${path(data)} />
  </svg>`;
}

/** Runs of dark modules in a row become one rectangle each. */
function path(rows: boolean[][]): string {
  return rows.map((row, y) => runs(row).map(([x, length]) => `M${x + QUIET} ${y + QUIET}h${length}v1h-${length}z`).join("")).join("");
}

/** Start and length of each run of dark modules. */
export function runs(row: boolean[]): [start: number, length: number][] {
  const found: [number, number][] = [];
  row.forEach((dark, x) => {
    const last = found[found.length - 1];
    if (!dark) return;
    if (last && last[0] + last[1] === x) last[1]++;
    else found.push([x, 1]);
  });
  return found;
}
