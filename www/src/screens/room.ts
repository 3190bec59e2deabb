/** The host's screen: let people in, lock, wait, result, ask again. */
import { html, nothing, type TemplateResult } from "lit";
import type { Question, QuestionDraft } from "../core/contract.ts";
import { sentence } from "../parts/errors.ts";
import { field } from "../parts/field.ts";
import { heading } from "../parts/heading.ts";
import { icons } from "../parts/icons.ts";
import { wholeNumber, type Asked } from "../parts/question-form.ts";
import { StagedView } from "../parts/view.ts";
import { adding, shortKey } from "../room/adding.ts";
import { goesOn, hostStage, seriesStage, type HostStage } from "../room/state.ts";
import { t } from "../strings/index.ts";
import "../parts/fault-view.ts";
import "../parts/feed-card.ts";
import "../parts/input-card.ts";
import "../parts/invite-card.ts";
import "../parts/progress-view.ts";
import "../parts/relay-view.ts";
import "../parts/result-view.ts";
import "../parts/series-view.ts";

const HEADS = "heads";

export class Room extends StagedView {
  static override properties = {
    ...StagedView.properties,
    error: { state: true },
    busy: { state: true },
  };
  declare error: string;
  declare busy: boolean;

  constructor() {
    super();
    this.error = "";
    this.busy = false;
  }

  protected override stageKey(): string {
    const { state } = this.session;
    return seriesStage(state) ?? `${hostStage(state)} ${state.asked?.question.number ?? 0}`;
  }

  protected override render(): TemplateResult {
    const stage = hostStage(this.session.state);
    return html`<div class=${stage === "lobby" ? "lobby" : "narrow"}>
      <header class="screen-head">
        ${heading(t.room[stage], this.session.state.asked?.question.question)}
      </header>
      ${this.#body(stage)}
    </div>`;
  }

  #body(stage: HostStage): TemplateResult | typeof nothing {
    if (stage === "opening") return html`<progress aria-label=${t.room.opening}></progress>`;
    if (stage === "lobby") return this.#lobby();
    return html`${stage === "ended" ? html`<ut-fault-view .session=${this.session}></ut-fault-view>` : nothing}
      ${stage === "done" ? html`<ut-result-view .session=${this.session}></ut-result-view>` : nothing}
      ${stage === "running" ? html`<ut-progress-view .session=${this.session}></ut-progress-view>` : nothing}
      ${this.#ownCard()} ${this.#series()}
      ${stage === "done" || stage === "ended" ? this.#again() : nothing}
      <ut-relay-view .session=${this.session}></ut-relay-view>`;
  }

  #lobby(): TemplateResult {
    return html`<ut-invite-card .session=${this.session}></ut-invite-card>
      <div class="stack">
        ${this.#lockCard()} ${this.#ownCard()}
        <ut-relay-view .session=${this.session}></ut-relay-view>
      </div>`;
  }

  #lockCard(): TemplateResult {
    const lobby = this.session.state.lobby ?? { joined: 0, byLink: 0, byCode: 0 };
    return html`<section class="card lock">
      <p class="here"><strong class="number">${lobby.joined}</strong> <span>${t.room.hereLabel(lobby.joined)}</span></p>
      <p class="hint">${lobby.joined === 0 ? t.room.waiting : ways(lobby)}</p>
      ${this.#computers()}
      <form novalidate @submit=${this.#lock}>
        ${field({
          id: HEADS,
          name: HEADS,
          label: t.room.headsLabel,
          value: "",
          hint: `${t.room.headsHint(this.session.contribute)} ${t.room.headsWhy}`,
          mode: "numeric",
          error: this.error,
        })}
        <button class="primary wide" type="submit" aria-disabled=${this.busy ? "true" : nothing}>
          ${this.busy ? t.room.locking : t.room.lock}
        </button>
      </form>
      <p class="hint">${t.room.leaveWarning}</p>
    </section>`;
  }

  /** Who offers to add up for the others, and, if they are too many, which of them do. */
  #computers(): TemplateResult | typeof nothing {
    const { asked, computers } = this.session.state;
    const few = adding(asked?.question);
    if (!few) return nothing;
    const offered = computers?.offered ?? [];
    return html`<p class="line" data-computers>
        ${offered.length < few.computers ? icons.clock : icons.check}<span>${t.adding.here(offered.length, few.computers)}. ${this.session.contribute ? nothing : t.adding.hostAdds}</span>
      </p>
      ${offered.length > few.computers ? this.#choice(offered, few.computers) : nothing}`;
  }

  #choice(offered: string[], wanted: number): TemplateResult {
    const choice = (key: string): TemplateResult => html`<div class="check">
      <input type="checkbox" id="adds-${key}" value=${key} data-adds />
      <label for="adds-${key}">${shortKey(key)}</label>
    </div>`;
    return html`<fieldset class="choice"><legend>${t.adding.choose(wanted)}</legend>${offered.map(choice)}</fieldset>`;
  }

  #chosen(): string[] {
    return [...this.querySelectorAll<HTMLInputElement>("[data-adds]:checked")].map(({ value }) => value);
  }

  #ownCard(): TemplateResult | typeof nothing {
    const { asked, fault } = this.session.state;
    if (!this.session.contribute || !asked || fault) return nothing;
    return html`<ut-input-card .session=${this.session}></ut-input-card>`;
  }

  #series(): TemplateResult | typeof nothing {
    const { state, contribute } = this.session;
    if (!state.asked?.question.series) return nothing;
    return html`<ut-series-view .session=${this.session}></ut-series-view>
      ${contribute && goesOn(state) ? html`<ut-feed-card .session=${this.session}></ut-feed-card>` : nothing}`;
  }

  #again(): TemplateResult | typeof nothing {
    const { asked, closed, fault } = this.session.state;
    if (!asked || goesOn(this.session.state) || closed || fault?.roomGoesOn === false) return nothing;
    return html`<section class="card again" aria-labelledby="again-title">
      <h2 id="again-title">${t.room.againTitle}</h2>
      <p class="hint">${t.room.againHint}</p>
      <ut-question-form
        .client=${this.session.client}
        .draft=${draftOf(asked.question)}
        .submit=${this.#ask}
        action=${t.room.again}
        busyLabel=${t.room.asking}
      ></ut-question-form>
    </section>`;
  }

  readonly #ask = ({ draft }: Asked): Promise<void> => this.session.client.ask(draft);

  readonly #lock = async (event: Event): Promise<void> => {
    event.preventDefault();
    const input = this.querySelector<HTMLInputElement>(`#${HEADS}`);
    const heads = wholeNumber(input?.value ?? "");
    if (this.busy) return;
    this.busy = true;
    this.error = "";
    try {
      if (Number.isNaN(heads)) this.error = t.room.headsInvalid;
      else await this.session.client.lock(heads, this.#chosen());
    } catch (thrown) {
      this.error = sentence(thrown);
    } finally {
      this.busy = false;
    }
    if (this.error) input?.focus();
  };
}

function ways(lobby: { byLink: number; byCode: number }): string {
  return `${t.room.byLink(lobby.byLink)}, ${t.room.byCode(lobby.byCode)}`;
}

/** The same question again, as a starting point. */
function draftOf({ service, question, deadlineSeconds, params }: Question): QuestionDraft {
  return { service, question, params, deadlineSeconds: String(deadlineSeconds) };
}

customElements.define("ut-room", Room);
