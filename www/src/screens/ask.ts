/** Compose a question and open the room. */
import { html, type TemplateResult } from "lit";
import { firstDraft, type Asked } from "../parts/question-form.ts";
import { StagedView } from "../parts/view.ts";
import { t } from "../strings/index.ts";

/** Fires `room-open` once the core has taken the question. */
export class Ask extends StagedView {
  protected override stageKey(): string {
    return "ask";
  }

  protected override render(): TemplateResult {
    return html`<div class="narrow">
      <button type="button" class="back" @click=${goBack}>${t.ask.back}</button>
      <h1 tabindex="-1" data-heading>${t.ask.heading}</h1>
      <p class="lead">${t.ask.lead}</p>
      <div class="card">
        <ut-question-form
          .client=${this.session.client}
          .draft=${firstDraft}
          .submit=${this.#open}
          .forRoom=${true}
          action=${t.ask.open}
          busyLabel=${t.ask.opening}
        ></ut-question-form>
      </div>
    </div>`;
  }

  readonly #open = async ({ draft, contribute, groupMin }: Asked): Promise<void> => {
    await this.session.host(draft, { contribute, groupMin });
    this.dispatchEvent(new CustomEvent("room-open"));
  };
}

function goBack(): void {
  history.back();
}

customElements.define("ut-ask", Ask);
