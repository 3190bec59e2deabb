/** What came out, how many are in it, how far to trust it, and what it does not tell. */
import { html, nothing, type TemplateResult } from "lit";
import type { Figure, Notice, Question } from "../core/contract.ts";
import { panels } from "../generated/panels.ts";
import { t } from "../strings/index.ts";
import { icons } from "./icons.ts";
import type { PanelModule } from "./panel.ts";
import { tierLine } from "./tier.ts";
import { RoomView } from "./view.ts";
import "./noise.ts";

const FEW_DIGITS = 8;
const MANY_DIGITS = 14;
const CELLS_IN_VIEW = 20;

type Result = Extract<Notice, { kind: "result" }>;

export class ResultView extends RoomView {
  static override properties = { ...RoomView.properties, panel: { state: true } };
  declare panel: PanelModule | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#loadPanel();
  }

  protected override render(): TemplateResult | typeof nothing {
    const { asked } = this.session.state;
    const result = this.session.state.result as Result | null;
    if (!asked || !result) return nothing;
    return html`<section class="card result" aria-labelledby="result-title">
      <h2 id="result-title" class="card-title">${t.result.region}</h2>
      <div class="reveal">
        ${figures(result.figures, asked.question)}
        <ut-veil-noise class="noise-veil"></ut-veil-noise>
      </div>
      ${this.panel?.panel(result.figures, result.included, asked.question) ?? nothing}
      <div class="lines">${this.#facts(result, asked.question)} ${tierLine(result.tier)}</div>
      ${this.#limits()}
    </section>`;
  }

  #facts(result: Result, question: Question): TemplateResult {
    const devices = result.seats;
    const mine = this.session.contribute
      ? html`<p class="line">
          ${result.contributionIn ? icons.check : icons.warn}
          <span>${result.contributionIn ? t.result.mine : t.result.notMine}</span>
        </p>`
      : nothing;
    return html`${mine}
      <p class="line">${icons.check}<span>${t.result.included(result.included, question.rowsMax)}</span></p>
      <p class="line">
        ${result.confirmed < devices ? icons.clock : icons.check}<span>${t.result.confirmed(result.confirmed, devices)}</span>
      </p>`;
  }

  #limits(): TemplateResult {
    const { ready } = this.session.state;
    return html`<details>
      <summary>${t.result.limits}</summary>
      <ul>
        ${this.session.contribute ? html`<li>${t.result.mineHint}</li>` : nothing}
        ${t.result.limitsList(ready?.breakers ?? 0, ready?.contributors ?? 0).map((limit) => html`<li>${limit}</li>`)}
      </ul>
    </details>`;
  }

  /** The picture is an extra: without it, the figures stand alone. */
  async #loadPanel(): Promise<void> {
    const load = panels[this.session.state.asked?.question.service ?? ""];
    this.panel = await load?.().catch(() => undefined);
  }
}

/** The service's own figure first. */
export function inOrder(figures: Figure[], service: string): Figure[] {
  return [...figures].sort((a, b) => Number(b.name === service) - Number(a.name === service));
}

function figures(all: Figure[], { service, cells }: Question): TemplateResult {
  return cells.length > 0 ? cellTable(all) : figureList(inOrder(all, service));
}

/** A long table scrolls in a frame of its own, which the keyboard reaches too. */
function cellTable(all: Figure[]): TemplateResult {
  const { name = "", unit = "" } = all[0] ?? {};
  const heading = `${t.result.figures[name] ?? name}${unit ? ` (${unit})` : ""}`;
  const long = all.length > CELLS_IN_VIEW;
  return html`<div class="cells-frame" role=${long ? "group" : nothing} tabindex=${long ? 0 : nothing} aria-label=${long ? t.result.byCell : nothing}>
    <table class="cells">
      <caption class="sr">${t.result.byCell}</caption>
      <thead>
        <tr><th scope="col">${t.result.cell}</th><th scope="col">${heading}</th></tr>
      </thead>
      <tbody>
        ${all.map(({ label, value }) => html`<tr><th scope="row">${label}</th><td data-figure=${label}>${value}</td></tr>`)}
      </tbody>
    </table>
  </div>`;
}

function figureList(figures: Figure[]): TemplateResult {
  return html`<dl class="figures">${figures.map(figureRow)}</dl>`;
}

function figureRow(figure: Figure): TemplateResult {
  const unit = figure.unit ? html` <span class="unit">${figure.unit}</span>` : nothing;
  return html`<div class="figure">
    <dt>${t.result.figures[figure.name] ?? figure.name}${figure.rounded ? `, ${t.result.rounded}` : ""}</dt>
    <dd data-figure=${figure.name} data-digits=${digits(figure.value)}>${figure.value}${unit}</dd>
  </div>`;
}

/** A number that breaks over two lines reads as two numbers: longer ones are set smaller. */
function digits(value: string): string {
  if (value.length > MANY_DIGITS) return "most";
  return value.length > FEW_DIGITS ? "many" : "few";
}

customElements.define("ut-result-view", ResultView);
