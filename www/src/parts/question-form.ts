/**
 * The form of a question, for a new room and for *Ask again*.
 *
 * It knows no limits of its own: the core refuses a draft and names the field.
 */
import { html, nothing, type TemplateResult } from "lit";
import type { ParamInfo, QuestionDraft, ServiceInfo } from "../core/contract.ts";
import { CoreError, type Client } from "../core/client.ts";
import { t } from "../strings/index.ts";
import { sentence } from "./errors.ts";
import { field } from "./field.ts";
import { forPeople } from "./services.ts";
import { View } from "./view.ts";

/** What the form hands over; the last two only where a room is opened. */
export interface Asked {
  draft: QuestionDraft;
  contribute: boolean;
  groupMin: number;
}

/** Refusals of the page itself carry no more than a field and a sentence. */
interface Refusal {
  field: string;
  message: string;
}

export const firstDraft: QuestionDraft = { service: "", question: "", deadlineSeconds: "300", params: {} };

const CHECK_AFTER_MS = 200;
const SECONDS = 60;
const MINUTE_MS = 60_000;
/** More than any limit of the core, which says what is wrong. */
const BEYOND = 1e9;
const GROUP_FLOOR = 3;
const GROUP_DEFAULT = 5;

export class QuestionForm extends View {
  static override properties = {
    client: { attribute: false },
    draft: { attribute: false },
    submit: { attribute: false },
    action: {},
    busyLabel: {},
    forRoom: { type: Boolean },
    services: { state: true },
    chosen: { state: true },
    errors: { state: true },
    general: { state: true },
    busy: { state: true },
    groupMin: { state: true },
  };
  declare client: Client;
  declare draft: QuestionDraft;
  /** Takes the question; what it throws is shown under the field it names. */
  declare submit: (asked: Asked) => Promise<void>;
  declare action: string;
  declare busyLabel: string;
  declare forRoom: boolean;
  /** What can be asked: the registry decides, once the core has loaded. */
  declare services: ServiceInfo[];
  declare chosen: string;
  declare errors: Record<string, string>;
  declare general: string;
  declare busy: boolean;
  declare groupMin: number;
  readonly #touched = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #checks = 0;

  constructor() {
    super();
    this.services = [];
    this.chosen = "";
    this.errors = {};
    this.general = "";
    this.busy = false;
    this.forRoom = false;
    this.groupMin = GROUP_DEFAULT;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#loadServices();
  }

  protected override render(): TemplateResult {
    return html`<form novalidate class="stack" @submit=${this.#send} @input=${this.#typed}>
      ${this.#serviceChoice()} ${this.#asking()} ${this.forRoom ? this.#people() : nothing} ${this.#more()}
      <p class="error" role="alert">${this.general}</p>
      <button class="primary wide" type="submit" aria-disabled=${this.busy ? "true" : nothing}>
        ${this.busy ? this.busyLabel : this.action}
      </button>
    </form>`;
  }

  #serviceChoice(): TemplateResult {
    return html`<fieldset class="choice">
      <legend>${t.ask.what}</legend>
      <div class="cards">${this.services.map((service) => this.#serviceCard(service))}</div>
    </fieldset>`;
  }

  #serviceCard({ name, title, summary }: ServiceInfo): TemplateResult {
    const words = t.ask.services[name] ?? { title, summary };
    return html`<div class="pick">
      <input
        type="radio"
        id="service-${name}"
        name="service"
        value=${name}
        ?checked=${this.chosen === name}
        aria-describedby="service-${name}-hint"
        @change=${() => (this.chosen = name)}
      />
      <label for="service-${name}">${words.title}</label>
      <p class="hint" id="service-${name}-hint">${words.summary}</p>
    </div>`;
  }

  #asking(): TemplateResult {
    const { ask } = t;
    return html`${field({
        id: "ask-question",
        name: "question",
        label: ask.question,
        hint: ask.questionHint,
        placeholder: ask.questionExample,
        value: this.draft.question,
        error: this.errors.question,
      })}
      <div class="pair">${this.#params((param) => !param.rare)}</div>`;
  }

  #params(wanted: (param: ParamInfo) => boolean): TemplateResult[] {
    const service = this.services.find(({ name }) => name === this.chosen);
    return (service?.params ?? []).filter(wanted).map((param) => this.#param(param));
  }

  #param({ name, title, hint, mode, default: initial }: ParamInfo): TemplateResult {
    const words = t.ask.params[name];
    return field({
      id: `ask-${name}`,
      name,
      label: words?.title ?? title,
      hint: (words?.hint ?? hint) || undefined,
      mode,
      value: this.draft.params[name] ?? initial,
      error: this.errors[name],
    });
  }

  #people(): TemplateResult {
    const small = this.groupMin < GROUP_DEFAULT && this.groupMin >= GROUP_FLOOR;
    return html`<div class="check">
        <input type="checkbox" id="contribute" name="contribute" aria-describedby="contribute-hint" />
        <label for="contribute">${t.ask.contribute}</label>
        <p class="hint" id="contribute-hint">${t.ask.contributeHint}</p>
      </div>
      ${field({
        id: "ask-groupMin",
        name: "groupMin",
        label: t.ask.groupMin,
        value: String(GROUP_DEFAULT),
        hint: t.ask.groupMinHint,
        mode: "numeric",
        error: this.errors.groupMin,
      })}
      <p class="warning" role="status" ?hidden=${!small}>${small ? t.ask.groupWarning : ""}</p>`;
  }

  #more(): TemplateResult {
    const minutes = String(Number(this.draft.deadlineSeconds) / SECONDS);
    const rare = this.#params((param) => param.rare);
    const open = rare.length > 0 && Object.keys(this.errors).some((name) => this.#isRare(name));
    return html`${field({
        id: "ask-deadlineSeconds",
        name: "deadlineSeconds",
        label: t.ask.deadline,
        value: minutes,
        hint: t.ask.deadlineHint,
        suffix: t.ask.deadlineUnit,
        mode: "decimal",
        error: this.errors.deadlineSeconds,
      })}
      ${this.#schedule()}
      ${rare.length > 0
        ? html`<details ?open=${open}>
            <summary>${t.ask.more}</summary>
            ${rare}
          </details>`
        : nothing}`;
  }

  #schedule(): TemplateResult {
    const { series } = t;
    const { everyMs = 0, readings = 0 } = this.draft;
    const open = Boolean(this.errors.every || this.errors.readings || everyMs);
    const minutes = everyMs ? String(everyMs / MINUTE_MS) : "";
    return html`<details ?open=${open}>
      <summary>${series.repeat}</summary>
      <p class="hint">${series.repeatHint}</p>
      <div class="pair">
        ${field({ id: "ask-every", name: "every", label: series.everyLabel, suffix: series.minutes, mode: "decimal", value: minutes, error: this.errors.every })}
        ${field({ id: "ask-readings", name: "readings", label: series.readingsLabel, mode: "numeric", value: readings ? String(readings) : "", error: this.errors.readings })}
      </div>
    </details>`;
  }

  #isRare(name: string): boolean {
    return this.services.some(({ params }) => params.some((param) => param.rare && param.name === name));
  }

  async #loadServices(): Promise<void> {
    try {
      this.services = forPeople(await this.client.services());
      this.chosen = this.draft.service || (this.services[0]?.name ?? "");
    } catch (thrown) {
      this.general = sentence(thrown);
    }
  }

  #read(): Asked {
    const form = new FormData(this.querySelector("form") ?? undefined);
    const text = (name: string): string => String(form.get(name) ?? "").trim();
    const { params } = this.services.find(({ name }) => name === this.chosen) ?? { params: [] };
    const draft = {
      service: this.chosen,
      question: text("question"),
      deadlineSeconds: seconds(text("deadlineSeconds")),
      params: Object.fromEntries(params.map(({ name }) => [name, text(name)])),
      everyMs: amount(text("every"), MINUTE_MS),
      readings: amount(text("readings"), 1),
    };
    return { draft, contribute: form.has("contribute"), groupMin: wholeNumber(text("groupMin")) };
  }

  readonly #typed = (event: Event): void => {
    const name = (event.target as HTMLInputElement).name;
    this.#touched.add(name);
    if (name === "groupMin") this.groupMin = this.#read().groupMin;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#check(), CHECK_AFTER_MS);
  };

  /** While typing, only fields that were touched complain. */
  async #check(): Promise<void> {
    const check = ++this.#checks;
    const refusal = await this.client.checkQuestion(this.#read().draft).then(() => undefined, toRefusal);
    if (check !== this.#checks) return;
    this.general = "";
    this.errors = refusal && this.#touched.has(refusal.field) ? { [refusal.field]: refusal.message } : {};
  }

  readonly #send = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (this.busy) return;
    clearTimeout(this.#timer);
    this.#checks++;
    this.busy = true;
    this.errors = {};
    this.general = "";
    try {
      await this.#submitChecked(this.#read());
    } catch (thrown) {
      await this.#refuse(toRefusal(thrown));
    } finally {
      this.busy = false;
    }
  };

  async #submitChecked(asked: Asked): Promise<void> {
    await this.client.checkQuestion(asked.draft);
    if (this.forRoom && !(asked.groupMin >= GROUP_FLOOR)) {
      throw new CoreError({ code: "bad-plan", field: "groupMin", message: t.ask.groupRefused });
    }
    await this.submit(asked);
  }

  async #refuse({ field: name, message }: Refusal): Promise<void> {
    const input = this.querySelector<HTMLInputElement>(`#ask-${CSS.escape(name)}`);
    if (input) this.errors = { [name]: message };
    else this.general = message;
    await this.updateComplete;
    input?.focus();
  }
}

function toRefusal(thrown: unknown): Refusal {
  const field = thrown instanceof CoreError ? (thrown.field ?? "") : "";
  return { field: FIELDS[field] ?? field, message: sentence(thrown) };
}

/** The core names fields as Rust does. */
const FIELDS: Record<string, string> = {
  deadline: "deadlineSeconds",
  deadline_ms: "deadlineSeconds",
  deadline_seconds: "deadlineSeconds",
  group_min: "groupMin",
};

/** Minutes as typed, in seconds; anything else goes to the core, which says what is wrong. */
export function seconds(minutes: string): string {
  const value = Number(minutes.replace(",", "."));
  return minutes !== "" && Number.isFinite(value) ? String(Math.round(value * SECONDS)) : minutes;
}

/** A positive amount as typed, 0 for none. What is no number, and less than one, goes to the core. */
export function amount(typed: string, per: number): number {
  if (typed === "") return 0;
  const value = Number(typed.replace(",", "."));
  return value > 0 ? Math.max(1, Math.round(value * per)) : BEYOND;
}

/** A count of people; NaN where it is none. */
export function wholeNumber(text: string): number {
  return /^\d{1,9}$/.test(text.trim()) ? Number(text.trim()) : NaN;
}

customElements.define("ut-question-form", QuestionForm);
