/** Saves what the room said as a file that anyone can check, with the key to its results or without. */
import { html, nothing, type TemplateResult } from "lit";
import { recordName, saveFile } from "../page/save.ts";
import { VERIFY } from "../page/route.ts";
import { t } from "../strings/index.ts";
import { sentence } from "./errors.ts";
import { RoomView } from "./view.ts";

export class RecordCard extends RoomView {
  static override properties = { ...RoomView.properties, busy: { state: true }, said: { state: true }, error: { state: true } };
  declare busy: boolean;
  declare said: string;
  declare error: string;

  constructor() {
    super();
    this.busy = false;
    this.said = "";
    this.error = "";
  }

  protected override render(): TemplateResult {
    return html`<details>
      <summary>${t.record.save}</summary>
      <div class="stack">
        <p>${t.record.hint} <a href="/${VERIFY}" target="_blank" rel="noopener">${t.verify.heading}</a></p>
        ${this.#choice("record-without", t.record.without, t.record.withoutHint, false)}
        ${this.#choice("record-with", t.record.withKey, t.record.withKeyWarning, true)}
        <p class="hint" role="status">${this.said}</p>
        <p class="error" role="alert">${this.error}</p>
      </div>
    </details>`;
  }

  #choice(id: string, label: string, hint: string, withKey: boolean): TemplateResult {
    return html`<div class="choice-row">
      <p id="${id}-hint" class=${withKey ? "warning" : "hint"}>${hint}</p>
      <button
        type="button"
        class="wide"
        aria-describedby="${id}-hint"
        aria-disabled=${this.busy ? "true" : nothing}
        @click=${() => this.#save(withKey)}
      >
        ${label}
      </button>
    </div>`;
  }

  async #save(withKey: boolean): Promise<void> {
    if (this.busy) return;
    [this.busy, this.error, this.said] = [true, "", ""];
    try {
      const bytes = await this.session.client.record(withKey);
      const name = recordName(new Date());
      saveFile(name, new Uint8Array(bytes));
      this.said = t.record.saved(name);
    } catch (thrown) {
      this.error = sentence(thrown);
    } finally {
      this.busy = false;
    }
  }
}

customElements.define("ut-record-card", RecordCard);
