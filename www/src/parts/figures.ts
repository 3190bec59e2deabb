/** The figures of a result, large enough to be read from the back of a room. */
import { html, nothing, type TemplateResult } from "lit";
import type { Figure } from "../core/contract.ts";
import { t } from "../strings/index.ts";

const FEW_DIGITS = 8;
const MANY_DIGITS = 14;
const CELLS_IN_VIEW = 20;

/** The service's own figure first. */
export function inOrder(figures: Figure[], service: string): Figure[] {
  return [...figures].sort((a, b) => Number(b.name === service) - Number(a.name === service));
}

/** A table where figures have labels, otherwise large numbers. */
export function figures(all: Figure[], service: string): TemplateResult {
  return all.some(({ label }) => label) ? cellTable(all) : html`<dl class="figures">${inOrder(all, service).map(figureRow)}</dl>`;
}

/** A long table scrolls in a frame of its own, which the keyboard reaches too. */
function cellTable(all: Figure[]): TemplateResult {
  const { name = "", unit = "" } = all[0] ?? {};
  const heading = `${t.result.figures[name] ?? name}${unit ? ` (${unit})` : ""}`;
  const long = all.length > CELLS_IN_VIEW;
  return html`<div class="cells-frame" role=${long ? "group" : nothing} tabindex=${long ? 0 : nothing} aria-label=${long ? t.result.byCell : nothing}>
    <table class="cells">
      <caption class="sr">${t.result.byCell}</caption>
      <thead>
        <tr><th scope="col">${t.result.cell}</th><th scope="col">${heading}</th></tr>
      </thead>
      <tbody>
        ${all.map(({ label, value }) => html`<tr><th scope="row">${label}</th><td data-figure=${label}>${value}</td></tr>`)}
      </tbody>
    </table>
  </div>`;
}

function figureRow(figure: Figure): TemplateResult {
  const unit = figure.unit ? html` <span class="unit">${figure.unit}</span>` : nothing;
  return html`<div class="figure">
    <dt>${t.result.figures[figure.name] ?? figure.name}${figure.rounded ? `, ${t.result.rounded}` : ""}</dt>
    <dd data-figure=${figure.name} data-digits=${digits(figure.value)}>${figure.value}${unit}</dd>
  </div>`;
}

/** A number that breaks over two lines reads as two numbers: longer ones are set smaller. */
function digits(value: string): string {
  if (value.length > MANY_DIGITS) return "most";
  return value.length > FEW_DIGITS ? "many" : "few";
}
