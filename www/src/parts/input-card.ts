/**
 * The card titled *Only on this device*: a field for each number, one button, and afterwards what left.
 *
 * Typed text never enters a template or an element's state: it goes from the fields to the worker,
 * and the fields are emptied.
 */
import { html, nothing, type TemplateResult } from "lit";
import type { Question } from "../core/contract.ts";
import { adding } from "../room/adding.ts";
import { mayGo } from "../room/state.ts";
import { t } from "../strings/index.ts";
import { answerFields, apart, plain, probe } from "./answer-fields.ts";
import { sentence } from "./errors.ts";
import { hex } from "./hex.ts";
import { icons } from "./icons.ts";
import { RoomView } from "./view.ts";
import "./noise.ts";

/** Long enough not to scold in the middle of a number. */
const CHECK_AFTER_MS = 200;

export class InputCard extends RoomView {
  static override properties = {
    ...RoomView.properties,
    errors: { state: true },
    busy: { state: true },
  };
  /** One for each field; empty where there is nothing to say. */
  declare errors: string[];
  declare busy: boolean;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #checks = 0;
  #number = 0;

  constructor() {
    super();
    this.errors = [];
    this.busy = false;
  }

  /** A refusal of the last question says nothing about this one. */
  protected override willUpdate(): void {
    const number = this.session.state.asked?.question.number ?? 0;
    if (number !== this.#number) this.errors = [];
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
    const few = adding(question);
    const masked = question.cells.length > 0 ? t.input.leavesCells : t.input.leaves;
    const leaves = few ? t.input.leavesShares(few.enough, few.computers) : masked;
    return html`<form novalidate @submit=${this.#send} @input=${this.#typed}>
      ${answerFields(question, this.errors)}
      ${this.session.reloaded ? html`<p class="hint" data-reloaded>${t.seat.typeAgain}</p>` : nothing}
      <p class="leaves">${icons.out}<span>${leaves}</span></p>
      <button class="primary wide" type="submit" aria-disabled=${this.busy ? "true" : nothing}>
        ${this.busy ? t.input.sending : t.input.send}
      </button>
    </form>`;
  }

  #held(): TemplateResult {
    return html`<p>${t.input.held}</p>`;
  }

  #receipt(): TemplateResult | typeof nothing {
    const { asked, sent, result } = this.session.state;
    if (!sent) return nothing;
    const cells = (asked?.question.cells ?? []).length > 0;
    const masked = cells ? t.input.sentCells : t.input.sent;
    const shares = mayGo(this.session.state);
    return html`<p class="sent">${icons.check}<span>${shares ? t.input.sentShares : masked}</span></p>
      ${shares && !result && this.session.role === "guest" ? html`<p data-may-go><strong>${t.input.mayGo}</strong></p>` : nothing}
      ${sent.masked.length > 0 ? html`<ut-bytes-noise class="noise-bytes" .bytes=${sent.masked}></ut-bytes-noise>` : nothing}
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

  #fields(): (HTMLInputElement | HTMLTextAreaElement)[] {
    return [...this.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("[data-own]")];
  }

  readonly #typed = (): void => {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#check(), CHECK_AFTER_MS);
  };

  /** While typing, an empty field is no mistake yet. */
  async #check(): Promise<void> {
    const check = ++this.#checks;
    const texts = this.#fields().map((field) => field.value);
    const errors = await Promise.all(texts.map((text, i) => (text === "" ? "" : this.#refusal(text, i))));
    // A slower answer about an older text must not overwrite a newer one.
    if (check === this.#checks) this.errors = errors;
  }

  /** What the core has against one field, whatever stands in the others. */
  async #refusal(text: string, index: number): Promise<string> {
    const question = this.session.state.asked?.question;
    if (!question) return "";
    const refusal = await this.session.client.checkInput(probe(question, text, index)).then(() => "", sentence);
    return plain(question, refusal, index);
  }

  readonly #send = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (this.busy) return;
    clearTimeout(this.#timer);
    this.#checks++;
    this.busy = true;
    const fields = this.#fields();
    try {
      const texts = fields.map((field) => field.value);
      this.errors = fields.length > 1 ? await Promise.all(texts.map((text, i) => this.#refusal(text, i))) : [];
      if (this.errors.every((error) => error === "")) await this.#submit(texts);
    } catch (thrown) {
      this.errors = [sentence(thrown)];
    } finally {
      this.busy = false;
    }
    fields[this.errors.findIndex((error) => error !== "")]?.focus();
  };

  async #submit(texts: string[]): Promise<void> {
    await this.session.submit(texts.join(apart));
    for (const field of this.#fields()) field.value = "";
  }
}

/** Breaks between words of four bytes where a line must break, and is copied without spaces. */
function breakable(digits: string): TemplateResult[] {
  return (digits.match(/.{1,8}/g) ?? []).map((word) => html`${word}<wbr />`);
}

customElements.define("ut-input-card", InputCard);
