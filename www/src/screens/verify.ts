/** Checks a record on this device: what holds, what came out, who took part, what was not checked. */
import { html, nothing, type TemplateResult } from "lit";
import type { CheckedQuestion, Verified } from "../core/contract.ts";
import { checkRecord } from "../core/check.ts";
import { CoreError } from "../core/client.ts";
import { sentence } from "../parts/errors.ts";
import { figures as figureView } from "../parts/figures.ts";
import { icons } from "../parts/icons.ts";
import { tierLine } from "../parts/tier.ts";
import { View } from "../parts/view.ts";
import { t } from "../strings/index.ts";

const FILE = "record-file";
/** The core refuses larger records; this one is refused before it is read. */
const BYTES_MAX = 65 * 1024 * 1024;
/** Of a key, as many digits as two people can compare. */
const DIGITS = 16;

export class Verify extends View {
  static override properties = {
    busy: { state: true },
    name: { state: true },
    verified: { state: true },
    failure: { state: true },
    over: { state: true },
  };
  declare busy: boolean;
  declare name: string;
  declare verified: Verified | undefined;
  declare failure: unknown;
  /** A file hangs over the card. */
  declare over: boolean;

  constructor() {
    super();
    this.busy = false;
    this.name = "";
    this.over = false;
  }

  protected override render(): TemplateResult {
    return html`<div class="narrow">
      <header class="screen-head">
        <h1 tabindex="-1" data-heading>${t.verify.heading}</h1>
        <p class="lead">${t.verify.lead}</p>
      </header>
      ${this.#door()}
      <div class="stack" role="status">${this.#answer()}</div>
    </div>`;
  }

  #door(): TemplateResult {
    return html`<section
      class="card drop"
      ?data-over=${this.over}
      @dragover=${this.#hover}
      @dragleave=${this.#away}
      @drop=${this.#drop}
    >
      <div class="field">
        <label for=${FILE}>${t.verify.file}</label>
        <p id="${FILE}-hint" class="hint">${t.verify.fileHint}</p>
        <input id=${FILE} type="file" accept=".record" aria-describedby="${FILE}-hint" @change=${this.#chosen} />
      </div>
    </section>`;
  }

  #answer(): TemplateResult | typeof nothing {
    if (this.busy) return html`<progress aria-label=${t.verify.checking}></progress>`;
    if (this.failure !== undefined) return failed(this.name, this.failure);
    return this.verified ? holds(this.name, this.verified) : nothing;
  }

  readonly #hover = (event: DragEvent): void => {
    event.preventDefault();
    this.over = true;
  };

  readonly #away = (): void => void (this.over = false);

  readonly #drop = (event: DragEvent): void => {
    event.preventDefault();
    this.over = false;
    void this.#check(event.dataTransfer?.files[0]);
  };

  readonly #chosen = (event: Event): void => void this.#check((event.target as HTMLInputElement).files?.[0]);

  async #check(file: File | undefined): Promise<void> {
    if (!file || this.busy) return;
    [this.busy, this.name, this.verified, this.failure] = [true, file.name, undefined, undefined];
    try {
      if (file.size > BYTES_MAX) throw new CoreError({ code: "malformed", field: null, message: t.verify.tooLarge });
      this.verified = await checkRecord(new Uint8Array(await file.arrayBuffer()));
    } catch (thrown) {
      this.failure = thrown;
    } finally {
      this.busy = false;
    }
  }

  protected override firstUpdated(): void {
    this.focusHeading();
  }
}

function failed(name: string, thrown: unknown): TemplateResult {
  const code = thrown instanceof CoreError ? thrown.code : "";
  if (code === "other-module") {
    return html`<section class="card" aria-labelledby="cannot-title" data-fault=${code}>
      <h2 id="cannot-title" class="card-title">${icons.warn}<span>${t.verify.cannot}</span></h2>
      <p class="hint">${name}</p>
      <p>${t.verify.cannotHint}</p>
    </section>`;
  }
  return html`<section class="card fault" aria-labelledby="fails-title">
    <h2 id="fails-title" class="card-title">${icons.warn}<span>${t.verify.fails}</span></h2>
    <p class="hint">${name}</p>
    <p data-fault=${code}>${sentence(thrown)}</p>
    <p>${t.verify.failsHint}</p>
    <details>
      <summary>${t.fault.details}</summary>
      <dl class="facts">
        <div>
          <dt>${t.fault.code}</dt>
          <dd class="code">${code || t.fault.none}</dd>
        </div>
      </dl>
    </details>
  </section>`;
}

function holds(name: string, verified: Verified): TemplateResult {
  const seats = verified.seats.length;
  return html`<section class="card" aria-labelledby="holds-title">
      <h2 id="holds-title" class="card-title">${icons.check}<span>${t.verify.holds}</span></h2>
      <p class="hint">${name}</p>
      <div class="lines">
        ${line(t.verify.chains)} ${line(t.verify.keys(seats))}
        ${agreed(verified) ? line(t.verify.roster(seats)) : nothing} ${verified.list > 1 ? line(t.verify.shorter) : nothing}
        ${tierLine(verified.tier)}
      </div>
    </section>
    ${verified.questions.map((question) => questionCard(question, verified))} ${seatsCard(verified)}
    ${uncheckedCard(verified)}`;
}

function line(text: string): TemplateResult {
  return html`<p class="line">${icons.check}<span>${text}</span></p>`;
}

/** Whether every question that numbers were given to was signed by all. */
function agreed({ questions, seats }: Verified): boolean {
  return questions.some(({ acknowledged }) => acknowledged === seats.length);
}

function questionCard(question: CheckedQuestion, verified: Verified): TemplateResult {
  const { number, figures, confirmed } = question;
  const id = `question-${number}`;
  const seats = verified.seats.length;
  const contributors = verified.seats.filter(({ contributes }) => contributes).length;
  const signed = figures ? t.verify.same(confirmed, seats) : t.verify.some(confirmed, seats);
  return html`<section class="card result" aria-labelledby=${id}>
    <h2 id=${id}>
      <span class="eyebrow">${t.verify.question(number)}: ${t.ask.services[question.service]?.title ?? question.title}</span>
      ${question.question}
    </h2>
    ${figures ? figureView(figures, question.service) : html`<p>${whyNot(question, verified, contributors)}</p>`}
    <div class="lines">
      ${count(t.verify.sent(question.sent.length, contributors), question.sent.length >= contributors)}
      ${count(signed, confirmed >= seats)}
    </div>
  </section>`;
}

function count(text: string, whole: boolean): TemplateResult {
  return html`<p class="line">${whole ? icons.check : icons.clock}<span>${text}</span></p>`;
}

/** Why a question has no figures here. */
function whyNot({ acknowledged, sent, confirmed }: CheckedQuestion, { keyed, seats }: Verified, contributors: number): string {
  if (acknowledged < seats.length) return t.verify.noAgreement(acknowledged, seats.length);
  if (sent.length === 0 && confirmed > 0) return t.verify.past;
  return keyed || sent.length < contributors ? t.verify.noResult : t.verify.noKey;
}

function seatsCard({ seats, host, code, room }: Verified): TemplateResult {
  return html`<section class="card" aria-labelledby="seats-title">
    <h2 id="seats-title">${t.verify.seats}</h2>
    <p>${t.verify.room}: <strong>${code}</strong> <span class="code">${short(room)}</span></p>
    <table class="seats">
      <thead>
        <tr>
          <th scope="col">${t.verify.seat}</th>
          <th scope="col">${t.verify.key}</th>
          <th scope="col">${t.verify.came}</th>
        </tr>
      </thead>
      <tbody>
        ${seats.map(
          (seat, index) => html`<tr>
            <th scope="row">${index}</th>
            <td class="code">${short(seat.author)}</td>
            <td>${seat.byLink ? t.verify.link : t.verify.code}${index === host ? `, ${t.verify.host}` : ""}</td>
          </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}

/** The first digits, in words of four. */
function short(hex: string): string {
  return hex.slice(0, DIGITS).replace(/(.{4})(?=.)/g, "$1 ");
}

function uncheckedCard({ keyed }: Verified): TemplateResult {
  const entries = Object.entries(t.verify.uncheckedList).filter(([name]) => name !== "figures" || !keyed);
  return html`<section class="card result" aria-labelledby="unchecked-title">
    <h2 id="unchecked-title">${t.verify.unchecked}</h2>
    <ul>
      ${entries.map(([name, text]) => html`<li data-unchecked=${name}>${text}</li>`)}
    </ul>
  </section>`;
}

customElements.define("ut-verify", Verify);
