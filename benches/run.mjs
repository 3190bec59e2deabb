// Times the benches of the wasm module in node and prints one JSON object per row.
//
//   node benches/run.mjs FOLDER NAME [RUNS]
//
// FOLDER holds the built module. CPU time is that of the whole process, the compiler's threads
// included, so the figures are never better than what a page sees.

import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Samples of each row, if nobody says otherwise. */
const SAMPLES = 25;
/** Of a baseline that takes long; it is there for the ratio. */
const FEW_SAMPLES = 5;
const LONG_US = 200_000;
/** A sample repeats the work until it takes at least so long: the clock counts microseconds. */
const SAMPLE_US = 5_000;

const [folder, bench, runs] = process.argv.slice(2);
const core = await import(pathToFileURL(resolve(folder, 'bench.js')).href);
core.initSync({ module: await readFile(join(folder, 'bench_bg.wasm')) });

const cpuUs = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

const timed = (work, times) => {
  const start = cpuUs();
  work.run(times);
  return cpuUs() - start;
};

/** Best and median time of one repetition, in milliseconds. */
function measure(row, baseline) {
  const work = core.Ready.make(bench, row, baseline);
  let times = 1;
  // Also lets the engine compile what is hot before anything counts.
  while (timed(work, times) < SAMPLE_US && times < 1 << 24) times *= 2;
  const few = baseline && timed(work, times) / times > LONG_US;
  const length = runs ? Number(runs) : few ? FEW_SAMPLES : SAMPLES;
  const samples = Array.from({ length }, () => timed(work, times) / times / 1000).sort((a, b) => a - b);
  work.free();
  return { best: samples[0], median: samples[samples.length >> 1] };
}

for (const [index, { name, n, baseline, bytes }] of core.rows(bench).entries()) {
  const ours = measure(index, false);
  const row = { bench, name, n, target: 'wasm', value: ours.best, median: ours.median, unit: 'ms' };
  if (baseline) {
    const theirs = measure(index, true);
    Object.assign(row, { baseline, baseline_value: theirs.best, ratio: theirs.best / ours.best });
  }
  if (bytes) row.gbps = bytes / ours.best / 1e6;
  console.log(JSON.stringify(row));
}
