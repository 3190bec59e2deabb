/** A series over time: the line with its gaps, the next reading, the keys that are left, and a table. */
import { html, nothing, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import type { Figure, Question, Series } from "../core/contract.ts";
import { goesOn, type Reading } from "../room/state.ts";
import { t } from "../strings/index.ts";
import { inOrder } from "./figures.ts";
import type { Points } from "./line-chart.ts";
import { RoomView } from "./view.ts";
import "./countdown.ts";

type Drawing = typeof import("./line-chart.ts");
type Chart = ReturnType<Drawing["lineChart"]>;

/** The table shows the last readings; older ones are in the line, and in the room's record. */
const ROWS_MAX = 200;

export class SeriesView extends RoomView {
  static override properties = { ...RoomView.properties, drawing: { state: true }, isTabled: { state: true } };
  declare drawing: Drawing | undefined;
  /** Whether somebody looks at the table; it is made only then. */
  declare isTabled: boolean;
  #chart: Chart | undefined;
  /** The readings that the line shows. */
  #drawn: Reading[] | undefined;
  readonly #resized = new ResizeObserver(() => this.#fit());
  readonly #scheme = matchMedia("(prefers-color-scheme: dark)");
  readonly #redraw = (): void => this.#draw(true);

  constructor() {
    super();
    this.isTabled = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#scheme.addEventListener("change", this.#redraw);
    void this.#load();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#scheme.removeEventListener("change", this.#redraw);
    this.#resized.disconnect();
    this.#chart?.destroy();
    this.#chart = undefined;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { asked, readings } = this.session.state;
    const series = asked?.question.series;
    if (!asked || !series) return nothing;
    const question = asked.question;
    return html`<section class="card series" aria-labelledby="series-title">
      <h2 id="series-title" class="card-title">${t.series.title}</h2>
      <p class="hint">${t.series.reading(series.index, series.count)} ${guard([readings], () => gaps(readings))}</p>
      <div class="chart" role="img" aria-label=${spoken(readings, question)}></div>
      ${this.#next(series)} ${this.#keys()} ${this.#table(readings, question)}
    </section>`;
  }

  protected override updated(): void {
    this.#draw(false);
  }

  #next(series: Series): TemplateResult {
    const { state } = this.session;
    if (!goesOn(state)) return html`<p>${t.series.over(series.count)}</p>`;
    return html`<ut-countdown .deadlineAt=${state.nextAt} .words=${t.series.next}></ut-countdown>`;
  }

  #keys(): TemplateResult | typeof nothing {
    const keys = this.session.state.ready?.keys;
    if (!keys || !goesOn(this.session.state)) return nothing;
    const left = keys.rounds - keys.round;
    return html`<div class="budget">
      <label for="series-keys">${t.series.keys(left)}</label>
      <meter id="series-keys" min="0" max=${keys.rounds} value=${left}></meter>
      <p class="hint">${t.series.keysHint}</p>
    </div>`;
  }

  #table(readings: Reading[], question: Question): TemplateResult {
    const toggled = (event: Event): void => void (this.isTabled = (event.target as HTMLDetailsElement).open);
    return html`<details @toggle=${toggled}>
      <summary>${t.series.table}</summary>
      ${this.isTabled ? guard([readings], () => table(readings, question)) : nothing}
    </details>`;
  }

  /** Without the line there are still figures and the table. */
  async #load(): Promise<void> {
    this.drawing = await import("./line-chart.ts").catch(() => undefined);
  }

  #draw(anew: boolean): void {
    const into = this.querySelector<HTMLElement>(".chart");
    const { asked, readings } = this.session.state;
    if (!into || !asked || !this.drawing) return;
    const isThere = this.#chart && !anew && into.contains(this.#chart.root);
    if (isThere && readings === this.#drawn) return;
    this.#drawn = readings;
    const points = pointsOf(readings, asked.question);
    if (this.#chart && isThere) {
      this.#chart.setData(this.drawing.data(points));
      return;
    }
    this.#chart?.destroy();
    this.#chart = this.drawing.lineChart(into, points);
    this.#resized.observe(into);
  }

  #fit(): void {
    const into = this.querySelector<HTMLElement>(".chart");
    if (into && this.#chart) this.drawing?.fit(this.#chart, into);
  }
}

/** The figure that the line shows: the service's own, of the first cell. */
export function shown(figures: Figure[], question: Question): Figure | undefined {
  return inOrder(figures, question.service)[0];
}

/** Exact text is for the table; the line may round. */
export function pointsOf(readings: Reading[], question: Question): Points {
  return readings.map(({ figures }) => {
    const figure = typeof figures === "string" ? undefined : shown(figures, question);
    return figure ? Number(figure.value) : null;
  });
}

function textOf({ figures }: Reading, question: Question): string {
  if (figures === "gap") return t.series.gap;
  if (figures === "open") return t.series.open;
  const figure = shown(figures, question);
  return figure ? `${figure.value} ${figure.unit}`.trim() : t.series.gap;
}

function spoken(readings: Reading[], question: Question): string {
  const last = readings.findLast(({ figures }) => figures !== "open");
  return last ? t.series.chart(readings.length, last.index, textOf(last, question)) : t.series.chartEmpty;
}

function gaps(readings: Reading[]): string {
  const count = readings.filter(({ figures }) => figures === "gap").length;
  return count > 0 ? t.series.gaps(count) : "";
}

function table(readings: Reading[], question: Question): TemplateResult {
  const rows = readings.slice(-ROWS_MAX).reverse();
  return html`<div class="cells-frame" role="group" tabindex="0" aria-label=${t.series.table}>
    <table class="cells">
      <thead>
        <tr><th scope="col">${t.series.column}</th><th scope="col">${t.result.region}</th></tr>
      </thead>
      <tbody>
        ${rows.map((reading) => html`<tr><th scope="row">${reading.index}</th><td data-reading=${reading.index}>${textOf(reading, question)}</td></tr>`)}
      </tbody>
    </table>
  </div>`;
}

customElements.define("ut-series-view", SeriesView);
