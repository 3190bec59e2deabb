/** What the relay holds: fetched by place in the log and shown byte for byte. */
import { html, nothing, type TemplateResult } from "lit";
import type { StoredEntry } from "../core/contract.ts";
import { t } from "../strings/index.ts";
import { sentence } from "./errors.ts";
import { hex } from "./hex.ts";
import { icons } from "./icons.ts";
import { RoomView } from "./view.ts";

export class RelayView extends RoomView {
  static override properties = {
    ...RoomView.properties,
    entries: { state: true },
    busy: { state: true },
    error: { state: true },
  };
  declare entries: StoredEntry[] | undefined;
  declare busy: boolean;
  declare error: string;

  constructor() {
    super();
    this.busy = false;
    this.error = "";
  }

  protected override render(): TemplateResult {
    return html`<section class="card relay" aria-labelledby="relay-title">
      <h2 id="relay-title" class="card-title">${icons.relay}<span>${t.relay.region}</span></h2>
      <p class="hint">${t.relay.hint}</p>
      <button type="button" aria-disabled=${this.busy ? "true" : nothing} @click=${this.#fetch}>${this.#label()}</button>
      <p class="error" role="status">${this.error}</p>
      ${this.entries ? list(this.entries) : nothing}
    </section>`;
  }

  #label(): string {
    if (this.busy) return t.relay.fetching;
    return this.entries ? t.relay.fetchAgain : t.relay.fetch;
  }

  readonly #fetch = async (): Promise<void> => {
    if (this.busy) return;
    this.busy = true;
    try {
      const known = this.entries ?? [];
      const last = known[known.length - 1];
      const more = await this.session.client.stored(last ? last.sequence + 1 : 0);
      this.entries = [...known, ...more];
      this.error = "";
    } catch (thrown) {
      this.error = sentence(thrown);
    } finally {
      this.busy = false;
    }
  };
}

function list(entries: StoredEntry[]): TemplateResult {
  if (entries.length === 0) return html`<p>${t.relay.empty}</p>`;
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes.length, 0);
  return html`<p class="count">${t.relay.count(entries.length, bytes)}</p>
    <ol class="entries">${entries.map(row)}</ol>`;
}

function row(entry: StoredEntry): TemplateResult {
  return html`<li>
    <details>
      <summary>
        <span>${t.relay.entry(entry.sequence, entry.kind)}</span>
        <span class="size">${t.relay.size(entry.bytes.length)}</span>
      </summary>
      <p class="hint">${t.relay.author}: <span class="code">${entry.author}</span></p>
      <p class="hex" data-entry=${entry.sequence}>${hex(entry.bytes)}</p>
    </details>
  </li>`;
}

customElements.define("ut-relay-view", RelayView);
