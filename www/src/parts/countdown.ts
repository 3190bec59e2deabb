/** Time left until a deadline on this page's clock. For the eye; screen readers ask when they want. */
import { html, type TemplateResult } from "lit";
import { t } from "../strings/index.ts";
import { View } from "./view.ts";

const TICK_MS = 500;

export class Countdown extends View {
  static override properties = { deadlineAt: { attribute: false }, words: { attribute: false } };
  declare deadlineAt: number;
  /** What is counted, what happens at the end, and what to say after it. */
  declare words: { left: string; atZero: string; late: string };
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor() {
    super();
    const { progress } = t;
    this.words = { left: progress.left, atZero: progress.atZero, late: progress.late };
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#timer = setInterval(() => this.requestUpdate(), TICK_MS);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#timer);
  }

  protected override render(): TemplateResult {
    const left = this.deadlineAt - performance.now();
    const note = left > 0 ? this.words.atZero : this.words.late;
    return html`<p class="countdown">
        <span class="countdown-label">${this.words.left}</span>
        <span class="countdown-time" role="timer" aria-label=${this.words.left}>${clock(left)}</span>
      </p>
      <p class="hint">${note}</p>`;
  }
}

/** Minutes and seconds, rounded up, so that 0:00 means that it is over. */
export function clock(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  const tail = String(seconds % 60).padStart(2, "0");
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${tail}` : `${minutes}:${tail}`;
}

customElements.define("ut-countdown", Countdown);
