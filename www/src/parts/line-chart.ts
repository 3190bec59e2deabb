/** A line over the readings of a series, drawn by uPlot. It comes with a screen that needs it. */
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";

const HEIGHT = 220;
/** Of a digit in uPlot's 12 px, in the widest of the fonts that systems have; and what is beside a label. */
const DIGIT_WIDTH = 8;
const LABEL_GAP = 20;

/** Values by index from 1; null is a gap, over which no line is drawn. */
export type Points = (number | null)[];

/** Room for the longest of these labels: a number that lost its first digit is another number. */
export function labelWidth(labels: string[]): number {
  return LABEL_GAP + DIGIT_WIDTH * Math.max(0, ...labels.map((label) => label.length));
}

/** Values between two gaps, which no line shows: those that are drawn as points however many there are. */
export function lone(points: ArrayLike<number | null | undefined>): number[] {
  const isGap = (i: number): boolean => (points[i] ?? null) === null;
  return Array.from(points, (_, i) => i).filter((i) => !isGap(i) && isGap(i - 1) && isGap(i + 1));
}

/** Draws into an element, as wide as that is, in the colours of the page. */
export function lineChart(into: HTMLElement, values: Points): uPlot {
  const style = getComputedStyle(into);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  const rule = { stroke: colour("--rule"), width: 1 };
  // No separators: a comma means two things.
  const labels = (_: uPlot, numbers: number[]): string[] => numbers.map(String);
  const axis = { stroke: colour("--quiet"), grid: rule, ticks: rule, values: labels };
  const wide = (_: uPlot, texts: string[] | null): number => labelWidth(texts ?? []);
  // A point for each reading, as long as they do not touch.
  const filter: uPlot.Series.Points.Filter = (chart, i, isShown) => (isShown ? null : lone(chart.data[i] ?? []));
  const points = { size: 7, space: 10, fill: colour("--accent"), filter };
  const line = { stroke: colour("--accent"), width: 2, spanGaps: false, points };
  return new uPlot(
    {
      width: into.clientWidth,
      height: HEIGHT,
      legend: { show: false },
      cursor: { show: false },
      // Asked for with all new data: a fixed range would stay what it was at the first reading.
      scales: { x: { time: false, range: ({ data }) => [0.5, Math.max(data[0].length, 2) + 0.5] } },
      axes: [{ ...axis, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000] }, { ...axis, size: wide }],
      series: [{}, line],
    },
    data(values),
    into,
  );
}

export function data(points: Points): uPlot.AlignedData {
  return [points.map((_, i) => i + 1), points];
}

/** Fits a chart to its element again. */
export function fit(chart: uPlot, into: HTMLElement): void {
  chart.setSize({ width: into.clientWidth, height: HEIGHT });
}
