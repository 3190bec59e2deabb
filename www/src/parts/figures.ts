/** The figures of a result, large enough to be read from the back of a room. */
import { html, nothing, type TemplateResult } from "lit";
import type { Figure } from "../core/contract.ts";
import { t } from "../strings/index.ts";

const FEW_DIGITS = 8;
const MANY_DIGITS = 14;

/** The service's own figure first. */
export function inOrder(figures: Figure[], service: string): Figure[] {
  return [...figures].sort((a, b) => Number(b.name === service) - Number(a.name === service));
}

export function figureList(figures: Figure[], service: string): TemplateResult {
  return html`<dl class="figures">${inOrder(figures, service).map(figureRow)}</dl>`;
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
