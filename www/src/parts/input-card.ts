/**
 * The card titled *Only on this device*: one field, one button, and afterwards what left.
 *
 * The typed text never enters a template or an element's state: it goes from the field to the
 * worker, and the field is emptied.
 */
import { html, nothing, type TemplateResult } from "lit";
import type { Question } from "../core/contract.ts";
import { t } from "../strings/index.ts";
import { sentence } from "./errors.ts";
import { describedBy, errorLine } from "./field.ts";
import { hex } from "./hex.ts";
import { icons } from "./icons.ts";
import { RoomView } from "./view.ts";
import "./noise.ts";

/** Long enough not to scold in the middle of a number. */
const CHECK_AFTER_MS = 200;
const ID = "own-number";

export class InputCard extends RoomView {
  static override properties = {
    ...RoomView.properties,
    error: { state: true },
    busy: { state: true },
  };
  declare error: string;
  declare busy: boolean;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #checks = 0;
  #number = 0;

  constructor() {
    super();
    this.error = "";
    this.busy = false;
  }

  /** A refusal of the last question says nothing about this one. */
  protected override willUpdate(): void {
    const number = this.session.state.asked?.question.number ?? 0;
    if (number !== this.#number) this.error = "";
    this.#number = number;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { asked, submitted, sent } = this.session.state;
    if (!asked) return nothing;
    return html`<section class="card own" aria-labelledby="own-title">
      <h2 id="own-title" class="card-title">${icons.device}<span>${t.input.region}</span></h2>
      ${sent ? this.#receipt() : submitted ? this.#held() : this.#entry(asked.question)}
    </section>`;
  }

  #entry(question: Question): TemplateResult {
    const hint = `${t.input.range(question.min, question.max, question.unit)}, ${t.input.decimals(question.decimals)}`;
    return html`<form novalidate @submit=${this.#send}>
      <div class="field" ?data-invalid=${!!this.error}>
        <label for=${ID}>${t.input.label}</label>
        <span class="control big">
          <input
            id=${ID}
            type="text"
            inputmode=${keyboard(question)}
            autocomplete="off"
            autocapitalize="off"
            spellcheck="false"
            aria-invalid=${this.error ? "true" : nothing}
            aria-describedby=${describedBy({ id: ID, hint })}
            @input=${this.#typed}
          />
          ${question.unit ? html`<span class="suffix" aria-hidden="true">${question.unit}</span>` : nothing}
        </span>
        <p class="hint" id="${ID}-hint">${hint}</p>
        ${errorLine(ID, this.error)}
      </div>
      <p class="leaves">${icons.out}<span>${t.input.leaves}</span></p>
      <button class="primary wide" type="submit" aria-disabled=${this.busy ? "true" : nothing}>
        ${this.busy ? t.input.sending : t.input.send}
      </button>
    </form>`;
  }

  #held(): TemplateResult {
    return html`<p>${t.input.held}</p>`;
  }

  #receipt(): TemplateResult | typeof nothing {
    const { sent } = this.session.state;
    if (!sent) return nothing;
    return html`<p class="sent">${icons.check}<span>${t.input.sent}</span></p>
      <ut-bytes-noise class="noise-bytes" .bytes=${sent.masked}></ut-bytes-noise>
      <dl class="facts">
        <div>
          <dt>${t.input.receipt}</dt>
          <dd class="code" data-receipt>${breakable(sent.receipt)}</dd>
        </div>
      </dl>
      <details>
        <summary>${t.fault.details}</summary>
        <p class="hint">${t.input.receiptHint}</p>
        <h3>${t.input.bytes}</h3>
        <p class="hex" data-masked>${hex(sent.masked)}</p>
        <p class="hint">${t.input.place(sent.sequence)}</p>
      </details>`;
  }

  #field(): HTMLInputElement | null {
    return this.querySelector<HTMLInputElement>(`#${ID}`);
  }

  readonly #typed = (): void => {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#check(), CHECK_AFTER_MS);
  };

  async #check(): Promise<void> {
    const check = ++this.#checks;
    const text = this.#field()?.value ?? "";
    const error = text === "" ? "" : await this.session.client.checkInput(text).then(() => "", sentence);
    // A slower answer about an older text must not overwrite a newer one.
    if (check === this.#checks) this.error = error;
  }

  readonly #send = async (event: Event): Promise<void> => {
    event.preventDefault();
    const input = this.#field();
    if (!input || this.busy) return;
    clearTimeout(this.#timer);
    this.#checks++;
    this.busy = true;
    try {
      await this.session.submit(input.value);
      input.value = "";
      this.error = "";
    } catch (thrown) {
      this.error = sentence(thrown);
      input.focus();
    } finally {
      this.busy = false;
    }
  };
}

/** Breaks between words of four bytes where a line must break, and is copied without spaces. */
function breakable(digits: string): TemplateResult[] {
  return (digits.match(/.{1,8}/g) ?? []).map((word) => html`${word}<wbr />`);
}

/** Number pads of some phones have no minus sign and some no decimal point. */
function keyboard(question: Question): string {
  if (question.min.trim().startsWith("-")) return "text";
  return question.decimals === 0 ? "numeric" : "decimal";
}

customElements.define("ut-input-card", InputCard);
