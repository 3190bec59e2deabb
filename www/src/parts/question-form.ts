/**
 * The form of a question, for a new room and for *Ask again*.
 *
 * It knows no limits of its own: the core refuses a draft and names the field.
 */
import { html, nothing, type TemplateResult } from "lit";
import type { QuestionDraft, ServiceInfo } from "../core/contract.ts";
import { CoreError, type Client } from "../core/client.ts";
import { t } from "../strings/index.ts";
import { sentence } from "./errors.ts";
import { field } from "./field.ts";
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

export const firstDraft: QuestionDraft = {
  service: "mean",
  question: "",
  unit: "",
  min: "0",
  max: "100",
  decimals: "0",
  rowsMax: "1",
  deadlineSeconds: "300",
};

const CHECK_AFTER_MS = 200;
const SECONDS = 60;
/** Rows of the registry that the page knows before the core has loaded. */
const KNOWN = ["mean", "sum"];
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
  declare services: string[];
  declare errors: Record<string, string>;
  declare general: string;
  declare busy: boolean;
  declare groupMin: number;
  readonly #touched = new Set<string>();
  #registry: ServiceInfo[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #checks = 0;

  constructor() {
    super();
    this.services = KNOWN;
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
      ${this.#serviceChoice()} ${this.#numbers()} ${this.forRoom ? this.#people() : nothing} ${this.#more()}
      <p class="error" role="alert">${this.general}</p>
      <button class="primary wide" type="submit" aria-disabled=${this.busy ? "true" : nothing}>
        ${this.busy ? this.busyLabel : this.action}
      </button>
    </form>`;
  }

  #serviceChoice(): TemplateResult {
    return html`<fieldset class="choice">
      <legend>${t.ask.what}</legend>
      <div class="cards">${this.services.map((name) => this.#serviceCard(name))}</div>
    </fieldset>`;
  }

  #serviceCard(name: string): TemplateResult {
    const known = t.ask.services[name] ?? this.#registry.find((service) => service.name === name);
    return html`<div class="pick">
      <input
        type="radio"
        id="service-${name}"
        name="service"
        value=${name}
        ?checked=${this.draft.service === name}
        aria-describedby="service-${name}-hint"
      />
      <label for="service-${name}">${known?.title ?? name}</label>
      <p class="hint" id="service-${name}-hint">${known?.summary}</p>
    </div>`;
  }

  #numbers(): TemplateResult {
    const { ask } = t;
    return html`${this.#text("question", ask.question, ask.questionHint, { placeholder: ask.questionExample })}
      <div class="pair">
        ${this.#text("unit", ask.unit, ask.unitHint)}
        ${this.#text("decimals", ask.decimals, ask.decimalsHint, { mode: "numeric" })}
      </div>
      <div class="pair">
        ${this.#text("min", ask.min, undefined)} ${this.#text("max", ask.max, undefined)}
      </div>`;
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
    const open = !!(this.errors.rowsMax || this.errors.deadlineSeconds);
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
      <details ?open=${open}>
        <summary>${t.ask.more}</summary>
        ${this.#text("rowsMax", t.ask.rowsMax, t.ask.rowsMaxHint, { mode: "numeric" })}
      </details>`;
  }

  #text(
    name: keyof QuestionDraft,
    label: string,
    hint: string | undefined,
    more: { mode?: "text" | "numeric"; placeholder?: string } = {},
  ): TemplateResult {
    return field({ id: `ask-${name}`, name, label, hint, value: this.draft[name], error: this.errors[name], ...more });
  }

  /** The registry decides what can be asked; until it is here, the two that every build has. */
  async #loadServices(): Promise<void> {
    this.#registry = await this.client.services().catch(() => []);
    const offered = this.#registry.filter((service) => service.audience === "people").map((service) => service.name);
    if (offered.length > 0) this.services = offered;
  }

  #read(): Asked {
    const form = new FormData(this.querySelector("form") ?? undefined);
    const text = (name: string): string => String(form.get(name) ?? "").trim();
    const names = Object.keys(firstDraft) as (keyof QuestionDraft)[];
    const typed = Object.fromEntries(names.map((name) => [name, text(name)])) as unknown as QuestionDraft;
    return {
      draft: { ...typed, deadlineSeconds: seconds(typed.deadlineSeconds) },
      contribute: form.has("contribute"),
      groupMin: wholeNumber(text("groupMin")),
    };
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
  rows_max: "rowsMax",
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

/** A count of people; NaN where it is none. */
export function wholeNumber(text: string): number {
  return /^\d{1,9}$/.test(text.trim()) ? Number(text.trim()) : NaN;
}

customElements.define("ut-question-form", QuestionForm);
