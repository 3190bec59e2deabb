import { expect, test } from "vitest";
import { timeOf } from "../../src/core/timing.ts";

/** Work on a clock of its own, which moves in whole steps only. */
function clock(step: number, each: (run: number) => number): { time: number; runs: number[] } {
  let now = 0;
  const runs: number[] = [];
  const run = (times: number): void => {
    runs.push(times);
    now += times * each(runs.length);
  };
  return { time: timeOf(run, () => Math.floor(now / step) * step), runs };
}

test("short work is repeated until the clock can see it", () => {
  const { time, runs } = clock(1, () => 0.01);
  expect(time).toBeCloseTo(0.01, 2);
  expect(runs.at(-1)).toBe(2048);
});

test("long work is measured less often, but at least once", () => {
  expect(clock(1, () => 1000)).toEqual({ time: 1000, runs: [1, 1, 1] });
  expect(clock(1, () => 9000)).toEqual({ time: 9000, runs: [1, 1] });
});

test("one slow sample does not count", () => {
  expect(clock(1, (run) => (run === 4 ? 900 : 30)).time).toBe(30);
});
