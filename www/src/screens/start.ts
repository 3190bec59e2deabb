/** Home: two doors. */
import { html, nothing, type TemplateResult } from "lit";
import { inviteFrom } from "../page/invite.ts";
import { BENCH, VERIFY } from "../page/route.ts";
import { errorLine } from "../parts/field.ts";
import { icons } from "../parts/icons.ts";
import { View } from "../parts/view.ts";
import { t } from "../strings/index.ts";
import "../parts/noise.ts";

const ID = "invite-text";

/** Fires `door-join` with the invite, and `door-ask`. */
export class Start extends View {
  static override properties = { error: { state: true }, lost: { attribute: false } };
  declare error: string;
  /** A seat was looked for that this browser does not keep. */
  declare lost: boolean;

  constructor() {
    super();
    this.error = "";
    this.lost = false;
  }

  protected override render(): TemplateResult {
    return html`${this.lost ? lostSeat() : nothing}
      <div class="hero">
        <h1 tabindex="-1" data-heading>${t.app.tagline}</h1>
        <p class="lead">${t.home.lead}</p>
        <ut-band-noise class="noise-band"></ut-band-noise>
      </div>
      <div class="doors">${this.#joinDoor()} ${this.#askDoor()}</div>
      <section class="how" aria-labelledby="how-title">
        <h2 id="how-title">${t.home.how}</h2>
        <ol>
          ${t.home.howSteps.map((step) => html`<li>${step}</li>`)}
        </ol>
      </section>
      <p class="aside">${t.home.verify} <a href=${VERIFY}>${t.verify.heading}</a></p>
      <p class="aside">${t.home.bench} <a href=${BENCH}>${t.bench.heading}</a></p>`;
  }

  #joinDoor(): TemplateResult {
    return html`<section class="card door" aria-labelledby="door-join">
      <h2 id="door-join">${t.home.joinTitle}</h2>
      <p id="${ID}-hint">${t.home.joinHint}</p>
      <form novalidate @submit=${this.#join}>
        <div class="field" ?data-invalid=${!!this.error}>
          <label for=${ID}>${t.home.linkOrCode}</label>
          <span class="control">
            <input
              id=${ID}
              type="text"
              autocomplete="off"
              autocapitalize="off"
              spellcheck="false"
              enterkeyhint="go"
              aria-invalid=${this.error ? "true" : "false"}
              aria-describedby="${ID}-hint ${ID}-error"
            />
          </span>
          ${errorLine(ID, this.error)}
        </div>
        <button class="primary wide" type="submit">${t.home.join}</button>
      </form>
    </section>`;
  }

  #askDoor(): TemplateResult {
    return html`<section class="card door" aria-labelledby="door-ask">
      <h2 id="door-ask">${t.home.askTitle}</h2>
      <p>${t.home.askHint}</p>
      <button class="wide" type="button" @click=${this.#ask}>${t.home.ask}</button>
    </section>`;
  }

  readonly #ask = (): void => void this.dispatchEvent(new CustomEvent("door-ask"));

  readonly #join = (event: Event): void => {
    event.preventDefault();
    const input = this.querySelector<HTMLInputElement>(`#${ID}`);
    const invite = inviteFrom(input?.value ?? "");
    this.error = invite ? "" : t.home.joinEmpty;
    if (invite) this.dispatchEvent(new CustomEvent("door-join", { detail: invite }));
    else input?.focus();
  };

  protected override firstUpdated(): void {
    // On a fresh page the focus stays at the top; coming back from a door it goes to the heading.
    if (history.state !== null) this.focusHeading();
  }
}

/** Whoever comes back to a seat that is gone is told before anything else. */
function lostSeat(): TemplateResult {
  return html`<section class="card fault" role="alert" aria-labelledby="lost-title">
    <h2 id="lost-title" class="card-title">${icons.warn}<span>${t.seat.lost}</span></h2>
    <p>${t.seat.lostWhy}</p>
    <p><strong>${t.seat.lostNow}</strong></p>
  </section>`;
}

customElements.define("ut-start", Start);
