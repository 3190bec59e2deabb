/** A participant's screen: who asks what, agree, answer, result; and the next question. */
import { html, nothing, type TemplateResult } from "lit";
import type { Question } from "../core/contract.ts";
import { CELL_FIELDS_MAX } from "../parts/answer-fields.ts";
import { sentence } from "../parts/errors.ts";
import { errorLine } from "../parts/field.ts";
import { heading } from "../parts/heading.ts";
import { icons } from "../parts/icons.ts";
import { StagedView } from "../parts/view.ts";
import { adding, shortKey } from "../room/adding.ts";
import { goesOn, guestStage, seriesStage, type GuestStage, type RoomState } from "../room/state.ts";
import { t } from "../strings/index.ts";
import "../parts/fault-view.ts";
import "../parts/feed-card.ts";
import "../parts/input-card.ts";
import "../parts/progress-view.ts";
import "../parts/relay-view.ts";
import "../parts/result-view.ts";
import "../parts/series-view.ts";

const CONSENT = "small-group";

export class Join extends StagedView {
  static override properties = {
    ...StagedView.properties,
    agreed: { state: true },
    busy: { state: true },
    error: { state: true },
  };
  declare agreed: boolean;
  declare busy: boolean;
  declare error: string;

  constructor() {
    super();
    this.agreed = false;
    this.busy = false;
    this.error = "";
  }

  /** The person agreed, on this page or before it was reloaded. */
  get #isIn(): boolean {
    return this.agreed || this.session.tookPart;
  }

  protected override stageKey(): string {
    const { state } = this.session;
    return seriesStage(state) ?? `${guestStage(state, this.#isIn)} ${state.asked?.question.number ?? 0}`;
  }

  protected override render(): TemplateResult {
    const { state } = this.session;
    const stage = guestStage(state, this.#isIn);
    return html`<div class="narrow">
      <header class="screen-head">${this.#head(stage)}</header>
      ${this.#body(stage)} ${stage === "consent" ? nothing : this.#series()}
    </div>`;
  }

  #head(stage: GuestStage): TemplateResult {
    const question = this.session.state.asked?.question.question;
    return heading(stage === "ended" && !question ? t.join.notIn : t.join[stage], question);
  }

  #body(stage: GuestStage): TemplateResult {
    switch (stage) {
      case "looking":
        return html`<progress aria-label=${t.join.looking}></progress><p class="hint">${this.session.tookPart ? t.seat.backHint : t.join.lookingHint}</p>`;
      case "consent":
        return html`${this.#terms()} ${this.#agree()}`;
      case "answer":
        if (this.session.addsUp) return html`${this.#addingCard()} ${this.#waiting("")} ${this.#progress()}`;
        return html`${this.#inputCard()} ${this.#waiting(t.join.typeNow)} ${this.#progress()}
          ${isLater(this.session.state) ? nothing : this.#terms()}`;
      case "answered":
        return html`${this.#waiting("")} ${this.#progress()} ${this.#inputCard()} ${this.#relay()}`;
      case "done":
        return html`<ut-result-view .session=${this.session}></ut-result-view>
          <p class="hint">${this.#afterwards()}</p>
          ${this.#inputCard()} ${this.#relay()}`;
      case "ended":
        return html`<ut-fault-view .session=${this.session}></ut-fault-view>`;
      case "closed":
        return html`<p>${t.fault.gone}</p>`;
    }
  }

  #series(): TemplateResult | typeof nothing {
    const { state } = this.session;
    if (!state.asked?.question.series) return nothing;
    return html`<ut-series-view .session=${this.session}></ut-series-view>
      ${goesOn(state) ? html`<ut-feed-card .session=${this.session}></ut-feed-card>` : nothing}`;
  }

  #inputCard(): TemplateResult | typeof nothing {
    if (this.session.addsUp) return nothing;
    return html`<ut-input-card .session=${this.session}></ut-input-card>`;
  }

  #afterwards(): string {
    const { state } = this.session;
    if (state.closed) return t.fault.gone;
    return goesOn(state) ? t.series.next.atZero : t.join.nextWait;
  }

  /** What a seat that adds up holds. */
  #addingCard(): TemplateResult {
    const { asked, progress, ready } = this.session.state;
    const of = progress?.of ?? ready?.contributors ?? 0;
    const enough = adding(asked?.question)?.enough ?? 0;
    return html`<section class="card own" aria-labelledby="adding-title">
      <h2 id="adding-title" class="card-title">${icons.device}<span>${t.adding.region}</span></h2>
      ${ready ? html`<p class="count" data-holds>${t.adding.holds(progress?.sent ?? 0, of)}</p>` : nothing}
      <p>${t.adding.alone(enough)}</p>
      <p><strong>${t.adding.stay}</strong></p>
      <dl class="facts">${term(t.adding.key, shortKey(this.session.addsUp))}</dl>
      <p class="hint">${t.adding.keyHint}</p>
    </section>`;
  }

  #progress(): TemplateResult | typeof nothing {
    if (!this.session.state.list) return nothing;
    return html`<ut-progress-view .session=${this.session}></ut-progress-view>`;
  }

  #relay(): TemplateResult {
    return html`<ut-relay-view .session=${this.session}></ut-relay-view>`;
  }

  #waiting(advice: string): TemplateResult | typeof nothing {
    const { list, joined } = this.session.state;
    if (list || !joined) return nothing;
    return html`<p class="line">
      ${icons.check}<span><strong>${t.join.inRoom}</strong> ${t.join.waitHost} ${advice}</span>
    </p>`;
  }

  #terms(): TemplateResult | typeof nothing {
    const { asked } = this.session.state;
    if (!asked) return nothing;
    const { question, groupMin } = asked;
    return html`<dl class="facts card">
      ${term(t.join.comesOut, comesOut(question))} ${term(t.join.whoSees, t.join.everyone)}
      ${term(t.join.breaks, breakers(this.session.state))} ${term(t.join.needs, t.join.needsValue(groupMin))}
      ${question.series ? term(t.series.often, t.series.every(question.series.count, question.series.everyMs)) : nothing}
      ${term(t.join.time, t.ask.minutes(question.deadlineSeconds))}
    </dl>`;
  }

  #agree(): TemplateResult {
    return html`<form novalidate class="stack" @submit=${this.#takePart}>
      ${this.session.state.asked?.smallGroup ? smallGroup() : nothing} ${errorLine(CONSENT, this.error)}
      <button class="primary wide" type="submit" aria-disabled=${this.busy ? "true" : nothing}>
        ${this.busy ? t.join.takingPart : t.join.takePart}
      </button>
      ${adding(this.session.state.asked?.question) ? this.#addUpButton() : nothing}
    </form>`;
  }

  #addUpButton(): TemplateResult {
    return html`<button class="wide" type="button" aria-disabled=${this.busy ? "true" : nothing} @click=${this.#addUp}>
        ${t.join.addUp}
      </button>
      <p class="hint">${t.join.addUpHint}</p>`;
  }

  readonly #takePart = (event: Event): Promise<void> => {
    event.preventDefault();
    return this.#come((consent) => this.session.client.takePart(consent));
  };

  readonly #addUp = (): Promise<void> => this.#come((consent) => this.session.addUp(consent));

  async #come(enter: (consent: { smallGroup: boolean }) => Promise<void>): Promise<void> {
    if (this.busy) return;
    const small = this.session.state.asked?.smallGroup === true;
    const box = this.querySelector<HTMLInputElement>(`#${CONSENT}`);
    this.error = small && !box?.checked ? t.join.smallGroupNeeded : "";
    if (this.error) return box?.focus();
    this.busy = true;
    try {
      await enter({ smallGroup: small });
      this.agreed = true;
    } catch (thrown) {
      this.error = sentence(thrown);
    } finally {
      this.busy = false;
    }
  }
}

function smallGroup(): TemplateResult {
  return html`<div class="check warning">
    <input type="checkbox" id=${CONSENT} aria-describedby="${CONSENT}-error" />
    <label for=${CONSENT}>${t.join.smallGroup}</label>
  </div>`;
}

/** In the later readings of a series nothing is other than what everybody agreed to at the first. */
function isLater({ asked }: RoomState): boolean {
  return (asked?.question.series?.index ?? 1) > 1;
}

function breakers({ asked, ready }: RoomState): string {
  const few = adding(asked?.question);
  if (few) return t.join.breaksShares(few.enough, few.computers);
  return ready ? t.join.breaksKnown(ready.breakers, ready.contributors) : t.join.breaksUnknown;
}

function comesOut({ cells, outputs }: Question): string {
  if (cells.length > 0) return t.join.cells(cells, CELL_FIELDS_MAX);
  return t.join.outputsJoin(outputs.map((name) => t.join.outputs[name] ?? name));
}

function term(name: string, value: string): TemplateResult {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}

customElements.define("ut-join", Join);
