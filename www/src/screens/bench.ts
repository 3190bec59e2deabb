/** Measures what this device can do: the work of one person as the paper counts it, and as it is done here. */
import { html, nothing, type TemplateResult } from "lit";
import type { Said } from "../core/bench.ts";
import { measure } from "../core/measure.ts";
import { COMPARISONS, type Comparison, type Side } from "../core/timing.ts";
import { sentence } from "../parts/errors.ts";
import { icons } from "../parts/icons.ts";
import { View } from "../parts/view.ts";
import { t } from "../strings/index.ts";

type Times = Partial<Record<`${Comparison["id"]}-${Side}`, number>>;
type Stage = "ready" | "running" | "done" | "stopped";

/** Each comparison is two pieces of work. */
const PIECES = 2 * COMPARISONS.length;

export class Bench extends View {
  static override properties = {
    stage: { state: true },
    times: { state: true },
    begun: { state: true },
    failure: { state: true },
  };
  declare stage: Stage;
  declare times: Times;
  /** What is being measured. */
  declare begun: Comparison["id"] | undefined;
  declare failure: unknown;
  #stop = new AbortController();

  constructor() {
    super();
    this.stage = "ready";
    this.times = {};
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop.abort();
  }

  protected override render(): TemplateResult {
    return html`<div class="narrow">
      <header class="screen-head">
        <h1 tabindex="-1" data-heading>${t.bench.heading}</h1>
        <p class="lead">${t.bench.lead}</p>
      </header>
      ${this.#card()} ${this.#published()}
      <section class="card result" aria-labelledby="bench-about">
        <h2 id="bench-about">${t.bench.about}</h2>
        <ul>
          ${t.bench.aboutList.map((text) => html`<li>${text}</li>`)}
        </ul>
      </section>
    </div>`;
  }

  #card(): TemplateResult {
    const running = this.stage === "running";
    return html`<section class="card" aria-label=${t.bench.region}>
      <table class="seats times">
        <caption>
          ${t.bench.caption}
        </caption>
        <thead>
          <tr>
            <th scope="col">${t.bench.work}</th>
            <th scope="col">${t.bench.paper}</th>
            <th scope="col">${t.bench.here}</th>
            <th scope="col">${t.bench.times}</th>
          </tr>
        </thead>
        <tbody>
          ${COMPARISONS.map((comparison) => this.#row(comparison))}
        </tbody>
      </table>
      ${running
        ? html`<progress max=${PIECES} value=${Object.keys(this.times).length} aria-label=${t.bench.region}></progress>`
        : nothing}
      <p role="status" class="hint">${this.#status()}</p>
      ${running
        ? html`<button type="button" class="wide" @click=${this.#halt}>${t.bench.stop}</button>`
        : html`<button type="button" class="primary wide" @click=${this.#start}>
            ${this.stage === "ready" ? t.bench.start : t.bench.again}
          </button>`}
    </section>`;
  }

  #row({ id }: Comparison): TemplateResult {
    const [paper, here] = [this.times[`${id}-paper`], this.times[`${id}-here`]];
    const { title, paper: operations } = t.bench.comparisons[id];
    return html`<tr data-comparison=${id}>
      <th scope="row">${title} <span class="hint">${operations}</span></th>
      <td>${duration(paper)}</td>
      <td>${duration(here)}</td>
      <td>${paper && here ? html`<strong>${t.bench.ratio(rounded(paper / here, 2))}</strong>` : t.bench.none}</td>
    </tr>`;
  }

  /** The one ratio that the paper prints: both sides as it computes them. */
  #published(): TemplateResult | typeof nothing {
    const [pairings, exponentiations] = [this.times["kdk-paper"], this.times["pcl-paper"]];
    if (!pairings || !exponentiations) return nothing;
    return html`<section class="card" aria-labelledby="bench-published">
      <h2 id="bench-published">${t.bench.published}</h2>
      <p data-published>${t.bench.publishedHere(rounded(pairings / exponentiations, 2))}</p>
      <p>${t.bench.publishedThere}</p>
    </section>`;
  }

  #status(): TemplateResult | string {
    if (this.failure !== undefined) return html`<span class="line">${icons.warn}<span>${sentence(this.failure)}</span></span>`;
    if (this.stage === "running") return this.begun ? t.bench.running(t.bench.comparisons[this.begun].title) : t.bench.loading;
    return this.stage === "ready" ? t.bench.takes : this.stage === "done" ? t.bench.done : t.bench.stopped;
  }

  readonly #halt = (): void => this.#stop.abort();

  readonly #start = (): void => void this.#measure();

  async #measure(): Promise<void> {
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    [this.stage, this.times, this.begun, this.failure] = ["running", {}, undefined, undefined];
    try {
      await measure((said) => this.#hear(said), signal);
    } catch (thrown) {
      this.failure = thrown;
    }
    this.stage = signal.aborted || this.failure !== undefined ? "stopped" : "done";
  }

  #hear(said: Said): void {
    if ("begun" in said) this.begun = said.begun.id;
    if ("timing" in said) this.times = { ...this.times, [`${said.timing.id}-${said.timing.side}`]: said.timing.ms };
  }

  protected override firstUpdated(): void {
    this.focusHeading();
  }
}

function duration(ms: number | undefined): string {
  if (ms === undefined) return t.bench.none;
  return ms < 1000 ? t.bench.ms(rounded(ms, 3)) : t.bench.s(rounded(ms / 1000, 3));
}

/** No more digits than are worth anything. */
function rounded(number: number, digits: number): string {
  return new Intl.NumberFormat("en", { maximumSignificantDigits: digits }).format(number);
}

customElements.define("ut-bench", Bench);
