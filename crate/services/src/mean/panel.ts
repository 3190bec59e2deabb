/**
 * The average on its scale: where it lies between the lowest and the highest allowed value.
 *
 * Binary fractions are good enough here, as the exact decimal stands beside the picture.
 */
import { svg, html, type TemplateResult } from "lit";
import type { Figure, Question } from "@undertone/contract";

const WIDTH = 320;
const HEIGHT = 56;
const INSET = 8;
const LINE_Y = 28;
const MINOR_TICKS = 10;

/** A scale with a marker. The picture's name says the same in words. */
export function panel(figures: Figure[], _included: number, question: Question): TemplateResult {
  const mean = figures.find((figure) => figure.name === "mean");
  const x = mean && position(Number(mean.value), Number(question.min), Number(question.max));
  if (!mean || x === undefined) return html``;
  const unit = mean.unit ? ` ${mean.unit}` : "";
  const words = `${mean.value}${unit} on a scale from ${question.min} to ${question.max}`;
  return html`<svg class="scale" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label=${words}>
    ${ticks()}
    <path class="scale-line" d="M${INSET} ${LINE_Y}H${WIDTH - INSET}" />
    <path class="scale-mark" d="M${x} ${LINE_Y - 4}l-7 -12h14z" />
    <circle class="scale-mark" cx=${x} cy=${LINE_Y} r="4" />
    <text class="scale-text" x=${INSET} y=${HEIGHT - 6}>${question.min}</text>
    <text class="scale-text" x=${WIDTH - INSET} y=${HEIGHT - 6} text-anchor="end">${question.max}</text>
  </svg>`;
}

/** The marker's place; undefined where there is no scale to speak of. */
export function position(value: number, min: number, max: number): number | undefined {
  const part = (value - min) / (max - min);
  if (!Number.isFinite(part)) return undefined;
  return INSET + Math.min(1, Math.max(0, part)) * (WIDTH - 2 * INSET);
}

function ticks(): TemplateResult[] {
  const step = (WIDTH - 2 * INSET) / MINOR_TICKS;
  return Array.from({ length: MINOR_TICKS + 1 }, (_, i) => {
    const x = INSET + i * step;
    return svg`<path class="scale-line" d="M${x} ${LINE_Y}v6" />` as TemplateResult;
  });
}
