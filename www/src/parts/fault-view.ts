/** Why a run ended: what happened, whether anything left the device, what to do now. */
import { html, nothing, type TemplateResult } from "lit";
import { t } from "../strings/index.ts";
import { sentence } from "./errors.ts";
import { CoreError } from "../core/client.ts";
import { goesOn } from "../room/state.ts";
import { icons } from "./icons.ts";
import { RoomView } from "./view.ts";

export class FaultView extends RoomView {
  protected override render(): TemplateResult | typeof nothing {
    const { fault } = this.session.state;
    if (!fault) return nothing;
    const { code, message } = fault;
    return html`<section class="card fault" aria-labelledby="fault-title">
      <h2 id="fault-title" class="card-title">
        ${icons.warn}<span>${sentence(new CoreError({ code, field: null, message }))}</span>
      </h2>
      <p>${fault.sentAnything ? t.fault.somethingLeft : t.fault.nothingLeft}</p>
      <h3>${t.fault.now}</h3>
      ${this.#advice()}
      <details>
        <summary>${t.fault.details}</summary>
        <dl class="facts">
          ${fact(t.fault.code, code)} ${fact(t.fault.phase, fault.phase || t.fault.none)}
          ${fact(t.fault.seats, fault.seats.join(", ") || t.fault.none)}
        </dl>
      </details>
    </section>`;
  }

  #advice(): TemplateResult {
    const host = this.session.role === "host";
    const { fault, closed } = this.session.state;
    if (this.session.state.kept) {
      return html`<p>${t.seat.again}</p>
        <p><button type="button" class="primary" @click=${reload}>${t.seat.reload}</button></p>`;
    }
    if (goesOn(this.session.state)) return html`<p>${t.series.gapAdvice}</p>`;
    if (fault?.roomGoesOn && !closed) return html`<p>${host ? t.fault.nowHost : t.fault.nowGuest}</p>`;
    const now = fault?.roomGoesOn ? t.fault.gone : t.fault.nowNotIn;
    return html`<p>${host ? t.fault.nowNewRoom : now}</p>
      <p><a class="button" href="/">${t.fault.restart}</a></p>`;
  }
}

/** The address has the seat's number. */
function reload(): void {
  location.reload();
}

function fact(name: string, value: string): TemplateResult {
  return html`<div>
    <dt>${name}</dt>
    <dd class="code">${value}</dd>
  </div>`;
}

customElements.define("ut-fault-view", FaultView);
