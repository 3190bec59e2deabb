/** What came out, how many are in it, how far to trust it, and what it does not tell. */
import { html, nothing, type TemplateResult } from "lit";
import type { Notice, Question } from "../core/contract.ts";
import { panels } from "../generated/panels.ts";
import { t } from "../strings/index.ts";
import { adding } from "../room/adding.ts";
import { figures } from "./figures.ts";
import { icons } from "./icons.ts";
import type { PanelModule } from "./panel.ts";
import { tierLine } from "./tier.ts";
import { RoomView } from "./view.ts";
import "./noise.ts";
import "./record-card.ts";

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
        ${figures(result.figures, asked.question.service)}
        <ut-veil-noise class="noise-veil"></ut-veil-noise>
      </div>
      ${this.panel?.panel(result.figures, result.included, asked.question) ?? nothing}
      <div class="lines">${this.#facts(result, asked.question)} ${tierLine(result.tier)}</div>
      ${this.#limits()}
      <ut-record-card .session=${this.session}></ut-record-card>
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
    return html`${mine} ${this.#leftOut()}
      <p class="line">${icons.check}<span>${t.result.included(result.included, question.rowsMax)}</span></p>
      <p class="line">
        ${result.confirmed < devices ? icons.clock : icons.check}<span>${t.result.confirmed(result.confirmed, devices)}</span>
      </p>`;
  }

  #leftOut(): TemplateResult | typeof nothing {
    const { wrong, missing } = this.session.state.leftOut ?? { wrong: [], missing: [] };
    const line = (words: string): TemplateResult => html`<p class="line">${icons.warn}<span>${words}</span></p>`;
    return html`${wrong.length > 0 ? line(t.adding.wrong(wrong.length)) : nothing}
      ${missing.length > 0 ? line(t.adding.missing(missing.length)) : nothing}`;
  }

  #limits(): TemplateResult {
    const { asked, ready } = this.session.state;
    const few = adding(asked?.question);
    const others = t.result.limitsOthers(ready?.breakers ?? 0, ready?.contributors ?? 0);
    return html`<details>
      <summary>${t.result.limits}</summary>
      <ul>
        ${this.session.contribute ? html`<li>${t.result.mineHint}</li>` : nothing}
        <li>${few ? t.adding.limit(few.enough, few.computers) : others}</li>
        ${t.result.limitsList.map((limit) => html`<li>${limit}</li>`)}
      </ul>
    </details>`;
  }

  /** The picture is an extra: without it, the figures stand alone. */
  async #loadPanel(): Promise<void> {
    const load = panels[this.session.state.asked?.question.service ?? ""];
    this.panel = await load?.().catch(() => undefined);
  }
}

customElements.define("ut-result-view", ResultView);
