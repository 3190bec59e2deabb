/**
 * The sums side by side: one bar for each cell, from zero.
 *
 * Binary fractions are good enough here, as the exact decimals stand in the table beside it.
 */
import { svg, html, type TemplateResult } from "lit";
import type { Figure, Question } from "@undertone/contract";

const WIDTH = 320;
const NAMED_ROW = 40;
const BAR_Y = 20;
const BAR = 12;
/** With more cells than that the picture shows their shape, and the table their names. */
const NAMES_MAX = 20;
const SHAPE_HEIGHT = 320;
const NAME_CHARS = 36;

/** Bars. The picture's name says in words what it shows. */
export function panel(figures: Figure[], _included: number, _question: Question): TemplateResult {
  const values = figures.map(({ value }) => Number(value));
  if (values.length === 0 || !values.every(Number.isFinite)) return html``;
  const named = figures.length <= NAMES_MAX;
  const row = named ? NAMED_ROW : SHAPE_HEIGHT / figures.length;
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const bars = values.map((value, i) => {
    const { x, width } = bar(value, low, high);
    const [y, height] = named ? [i * row + BAR_Y, BAR] : [i * row, row * 0.8];
    return svg`<rect class="scale-mark" x=${x} y=${y} width=${width} height=${height} />`;
  });
  const names = named ? figures.map(({ label }, i) => svg`<text class="scale-text" x="0" y=${i * row + BAR_Y - 6}>${short(label)}</text>`) : [];
  const zero = bar(0, low, high).x;
  const height = row * figures.length;
  // Beside the bars only: it would strike through the names.
  const lines = named ? figures.map((_, i) => `M${zero} ${i * row + BAR_Y - 2}v${BAR + 4}`) : [`M${zero} 0V${height}`];
  const zeros = svg`<path class="scale-line" d=${lines.join("")} />`;
  return html`<svg class="scale" viewBox="-1 0 ${WIDTH + 2} ${height}" role="img" aria-label=${words(figures, values)}>
    ${bars}${names}${zeros}
  </svg>`;
}

/** Where a bar lies on a scale that holds zero. */
export function bar(value: number, low: number, high: number): { x: number; width: number } {
  const scale = high > low ? WIDTH / (high - low) : 0;
  return { x: (Math.min(0, value) - low) * scale, width: Math.abs(value) * scale };
}

function words(figures: Figure[], values: number[]): string {
  const name = (value: number): string => {
    const figure = figures[values.indexOf(value)];
    return figure ? `${figure.label}, ${figure.value} ${figure.unit}`.trim() : "";
  };
  return `Bars of ${figures.length} sums. Lowest: ${name(Math.min(...values))}. Highest: ${name(Math.max(...values))}.`;
}

function short(label: string): string {
  const chars = [...label];
  return chars.length > NAME_CHARS ? `${chars.slice(0, NAME_CHARS - 1).join("")}…` : label;
}
