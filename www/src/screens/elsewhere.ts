/** Another tab of this browser speaks for this seat: which one lives, and how to go on here. */
import { html, type TemplateResult } from "lit";
import { heading } from "../parts/heading.ts";
import { View } from "../parts/view.ts";
import { t } from "../strings/index.ts";

/** Fires `take-over`. */
export class Elsewhere extends View {
  protected override render(): TemplateResult {
    return html`<div class="narrow">
      <header class="screen-head">${heading(t.seat.elsewhere, undefined)}</header>
      <section class="card stack" aria-label=${t.seat.elsewhere}>
        <p>${t.seat.elsewhereWhy}</p>
        <p class="hint">${t.seat.elsewhereHint}</p>
        <button class="primary wide" type="button" @click=${this.#take}>${t.seat.takeOver}</button>
      </section>
    </div>`;
  }

  readonly #take = (): void => void this.dispatchEvent(new CustomEvent("take-over"));

  protected override firstUpdated(): void {
    this.focusHeading();
  }
}

customElements.define("ut-elsewhere", Elsewhere);
