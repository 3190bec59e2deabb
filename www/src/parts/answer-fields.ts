/**
 * The fields for a person's numbers: one; or one for each cell; or, for many cells, one area that
 * takes a column of a spreadsheet.
 */
import { html, nothing, type TemplateResult } from "lit";
import type { Question } from "../core/contract.ts";
import { t } from "../strings/index.ts";
import { describedBy, errorLine } from "./field.ts";

/** More fields than that are a chore to fill in, and a column is pasted instead. */
export const CELL_FIELDS_MAX = 20;

/** What the core takes between the values of cells. */
export const apart = ";";

const ID = "own-number";
const AREA_ROWS = 8;

/** Fields marked `data-own`, in the order of cells, with the errors that belong to them. */
export function answerFields(question: Question, errors: string[]): TemplateResult {
  const { cells } = question;
  if (cells.length === 0) return oneNumber(question, errors[0]);
  return isColumn(question) ? column(question, errors[0]) : cellFields(question, errors);
}

/** A text that the core accepts if it accepts this field: the other cells get a value that is allowed. */
export function probe(question: Question, text: string, index: number): string {
  if (question.cells.length === 0 || isColumn(question)) return text;
  return question.cells.map((_, i) => (i === index ? text : question.min)).join(apart);
}

/** The core names the cell in front of its sentence. Under the cell's own field nobody needs that. */
export function plain(question: Question, refusal: string, index: number): string {
  const name = `${question.cells[index] ?? ""}: `;
  return !isColumn(question) && refusal.startsWith(name) ? refusal.slice(name.length) : refusal;
}

function isColumn({ cells }: Question): boolean {
  return cells.length > CELL_FIELDS_MAX;
}

function oneNumber(question: Question, error: string | undefined): TemplateResult {
  return html`<div class="field" ?data-invalid=${!!error}>
    <label for=${ID}>${t.input.label}</label>
    ${numberInput(question, ID, "control big", describedBy({ id: ID, hint: "range" }), error)}
    <p class="hint" id="${ID}-hint">${range(question)}</p>
    ${errorLine(ID, error)}
  </div>`;
}

function cellFields(question: Question, errors: string[]): TemplateResult {
  return html`<fieldset class="choice" aria-describedby="${ID}-hint">
    <legend>${t.input.labels}</legend>
    <p class="hint" id="${ID}-hint">${range(question)}</p>
    <div class="cell-fields">${question.cells.map((cell, i) => cellField(question, cell, `${ID}-${i}`, errors[i]))}</div>
  </fieldset>`;
}

function cellField(question: Question, cell: string, id: string, error: string | undefined): TemplateResult {
  return html`<div class="field" ?data-invalid=${!!error}>
    <label for=${id}>${cell}</label>
    ${numberInput(question, id, "control", describedBy({ id }), error)} ${errorLine(id, error)}
  </div>`;
}

function numberInput(question: Question, id: string, look: string, about: string, error: string | undefined): TemplateResult {
  return html`<span class=${look}>
    <input
      id=${id}
      data-own
      type="text"
      inputmode=${keyboard(question)}
      autocomplete="off"
      autocapitalize="off"
      spellcheck="false"
      aria-invalid=${error ? "true" : nothing}
      aria-describedby=${about}
    />
    ${question.unit ? html`<span class="suffix" aria-hidden="true">${question.unit}</span>` : nothing}
  </span>`;
}

function column(question: Question, error: string | undefined): TemplateResult {
  const { cells } = question;
  return html`<div class="field" ?data-invalid=${!!error}>
      <label for=${ID}>${t.input.labels}</label>
      <p class="hint" id="${ID}-hint">${t.input.column(cells.length)} ${range(question)}.</p>
      <textarea
        id=${ID}
        data-own
        rows=${AREA_ROWS}
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        aria-invalid=${error ? "true" : nothing}
        aria-describedby=${describedBy({ id: ID, hint: "column" })}
      ></textarea>
      ${errorLine(ID, error)}
    </div>
    <details>
      <summary>${t.input.cells(cells.length)}</summary>
      <ol class="cell-names">
        ${cells.map((cell) => html`<li>${cell}</li>`)}
      </ol>
    </details>`;
}

function range(question: Question): string {
  return `${t.input.range(question.min, question.max, question.unit)}, ${t.input.decimals(question.decimals)}`;
}

/** Number pads of some phones have no minus sign and some no decimal point. */
function keyboard(question: Question): string {
  if (question.min.trim().startsWith("-")) return "text";
  return question.decimals === 0 ? "numeric" : "decimal";
}
