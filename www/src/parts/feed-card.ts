/** Answers every reading of a series from a file on this device. */
import { html, type TemplateResult } from "lit";
import { Feed, FILE_BYTES_MAX } from "../room/feed.ts";
import { t } from "../strings/index.ts";
import { sentence } from "./errors.ts";
import { errorLine } from "./field.ts";
import { RoomView } from "./view.ts";

const FILE = "feed-file";

export class FeedCard extends RoomView {
  static override properties = { ...RoomView.properties, feed: { state: true }, error: { state: true } };
  declare feed: Feed | null;
  declare error: string;

  constructor() {
    super();
    this.feed = null;
    this.error = "";
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.feed?.stop();
  }

  protected override render(): TemplateResult {
    const left = this.feed?.left ?? 0;
    return html`<details class="card feed" ?open=${left > 0}>
      <summary>${t.series.feed}</summary>
      ${left > 0
        ? html`<p>${t.series.feedLeft(left)}</p>
            <button type="button" @click=${() => this.feed?.stop()}>${t.series.feedStop}</button>`
        : html`<div class="field">
            <label for=${FILE}>${t.series.feedFile}</label>
            <p class="hint" id="${FILE}-hint">${t.series.feedHint}</p>
            <input
              id=${FILE}
              type="file"
              accept=".csv,.txt,text/plain,text/csv"
              aria-describedby="${FILE}-hint ${FILE}-error"
              @change=${this.#chosen}
            />
            ${errorLine(FILE, this.error)}
          </div>`}
    </details>`;
  }

  readonly #chosen = async (event: Event): Promise<void> => {
    const input = event.target as HTMLInputElement;
    const file = input.files?.[0];
    if (!file) return;
    this.error = file.size > FILE_BYTES_MAX ? t.series.feedLarge : "";
    if (!this.error) await this.#start(file);
    input.value = "";
  };

  async #start(file: File): Promise<void> {
    const feed = new Feed(this.session, await file.text());
    feed.addEventListener("change", () => this.requestUpdate());
    this.feed = feed;
    await feed.start().catch((thrown: unknown) => {
      this.error = sentence(thrown);
      feed.stop();
    });
    this.requestUpdate();
  }
}

customElements.define("ut-feed-card", FeedCard);
