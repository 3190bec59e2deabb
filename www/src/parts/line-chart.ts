/** A line over the readings of a series, drawn by uPlot. It comes with a screen that needs it. */
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";

const HEIGHT = 220;

/** Values by index from 1; null is a gap, over which no line is drawn. */
export type Points = (number | null)[];

/** Values between two gaps, which no line shows: those that are drawn as points however many there are. */
export function lone(points: ArrayLike<number | null | undefined>): number[] {
  const isGap = (i: number): boolean => (points[i] ?? null) === null;
  return Array.from(points, (_, i) => i).filter((i) => !isGap(i) && isGap(i - 1) && isGap(i + 1));
}

/** Draws into an element, as wide as that is, in the colours of the page. */
export function lineChart(into: HTMLElement, values: Points): uPlot {
  const style = getComputedStyle(into);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  const axis = { stroke: colour("--quiet"), grid: { stroke: colour("--rule"), width: 1 }, ticks: { stroke: colour("--rule"), width: 1 } };
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
      scales: { x: { time: false, range: [0.5, Math.max(values.length, 2) + 0.5] } },
      axes: [{ ...axis, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000] }, axis],
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
