/** How people get in: the link, its QR code, and four words to type. */
import { html, nothing, type TemplateResult } from "lit";
import { copyField } from "../page/copy.ts";
import { inviteLink } from "../page/invite.ts";
import { t } from "../strings/index.ts";
import { RoomView } from "./view.ts";
import { qrCode } from "./qr.ts";

export class InviteCard extends RoomView {
  static override properties = { ...RoomView.properties, note: { state: true } };
  declare note: string;

  constructor() {
    super();
    this.note = "";
  }

  protected override render(): TemplateResult | typeof nothing {
    const { opened } = this.session.state;
    if (!opened) return nothing;
    const link = inviteLink(location, opened.invite);
    return html`<section class="card invite" aria-labelledby="invite-title">
      <h2 id="invite-title" class="sr">${t.room.invite}</h2>
      ${qrCode(link, t.room.qr)}
      <div class="code-block">
        <p>${t.room.scanOrType} <strong>${location.host}</strong></p>
        <p class="words"><span class="sr">${t.room.codeTitle}: </span><span data-code>${opened.code}</span></p>
      </div>
      <div class="row">
        <input readonly aria-label=${t.room.inviteLink} .value=${link} @focus=${select} />
        <button type="button" @click=${this.#copy}>${t.room.copy}</button>
        ${this.#shareButton(link)}
      </div>
      <p class="hint" role="status">${this.note}</p>
      <details>
        <summary>${t.room.codeAbout}</summary>
        <p class="hint">${t.room.codeHint}</p>
      </details>
    </section>`;
  }

  #shareButton(link: string): TemplateResult | typeof nothing {
    if (typeof navigator.share !== "function") return nothing;
    const share = (): void => void navigator.share({ url: link }).catch(() => undefined);
    return html`<button type="button" @click=${share}>${t.room.share}</button>`;
  }

  readonly #copy = async (): Promise<void> => {
    const input = this.querySelector("input");
    if (input) this.note = (await copyField(input)) ? t.room.copied : t.room.copyByHand;
  };
}

function select(event: Event): void {
  (event.target as HTMLInputElement).select();
}

customElements.define("ut-invite-card", InviteCard);
