/** Who is missing, until when, and what happens then. */
import { html, nothing, type TemplateResult } from "lit";
import { adding } from "../room/adding.ts";
import { missing } from "../room/state.ts";
import { t } from "../strings/index.ts";
import { RoomView } from "./view.ts";
import "./countdown.ts";
import "./noise.ts";

export class ProgressView extends RoomView {
  protected override render(): TemplateResult | typeof nothing {
    const { list, ready } = this.session.state;
    if (!list) return nothing;
    return html`<section class="card progress" aria-label=${t.progress.region}>
      ${ready ? this.#sending() : this.#agreeing(list.seats)}
      ${ready ? html`<ut-countdown .deadlineAt=${ready.deadlineAt} .words=${this.#adding() ? { ...t.progress, atZero: t.adding.atZero } : t.progress}></ut-countdown>` : nothing}
    </section>`;
  }

  #agreeing(seats: number): TemplateResult {
    const done = this.session.state.progress?.acknowledged ?? 0;
    const of = this.session.state.progress?.of ?? seats;
    return html`<p class="count">${t.progress.agreeing(done, of)}</p>
      <progress max=${of} value=${done} aria-label=${t.progress.region}></progress>`;
  }

  #sending(): TemplateResult {
    const { progress, ready, working } = this.session.state;
    const of = progress?.of ?? ready?.contributors ?? 0;
    const sent = progress?.sent ?? 0;
    const left = missing(this.session.state) ?? of;
    return html`<ut-people-noise class="noise-people" .of=${of} .filled=${sent}></ut-people-noise>
      <p class="count"><strong>${t.progress.sent(sent, of)}</strong></p>
      <p>${left === 0 ? (this.#adding() ? t.adding.allIn : t.progress.allIn) : t.progress.missing(left)}</p>
      ${left === 0 && working ? reading(working) : nothing}`;
  }

  #adding(): boolean {
    return adding(this.session.state.asked?.question) !== null;
  }
}

/** A wide range takes a while to read the total from; only then is there anything to see. */
function reading({ done, of }: { done: number; of: number }): TemplateResult {
  return html`<p>${t.progress.reading}</p>
    <progress max=${of} value=${done} aria-label=${t.progress.reading}></progress>`;
}

customElements.define("ut-progress-view", ProgressView);
