/** What is measured on this device, and how long a piece of work takes. */

/** A piece of work as the paper has it and as this page has it: a row of the module's benches. */
export interface Comparison {
  id: "pcl" | "kdk" | "curve" | "group";
  bench: string;
  row: string;
  n: string;
}

export const COMPARISONS: readonly Comparison[] = [
  { id: "pcl", bench: "pcl-message", row: "complete", n: "100" },
  { id: "kdk", bench: "kdk-pairing-message", row: "message", n: "100" },
  { id: "curve", bench: "recovery", row: "curve", n: "2^30" },
  { id: "group", bench: "recovery", row: "pairing-group", n: "2^20" },
];

export type Side = "paper" | "here";

/** How long the work of one side took, in milliseconds. */
export interface Timing {
  id: Comparison["id"];
  side: Side;
  ms: number;
}

/** A sample repeats the work until it takes so long: some clocks of browsers stand still for a millisecond. */
const SAMPLE_MS = 20;
const SAMPLES = 9;
/** What takes long is measured less often. */
const PATIENCE_MS = 1500;

/** The time of one repetition, the middle one of several samples. */
export function timeOf(run: (times: number) => void, now: () => number): number {
  const took = (times: number): number => {
    const start = now();
    run(times);
    return now() - start;
  };
  let times = 1;
  // Also lets the engine compile what is hot before anything counts.
  for (let ms = took(times); ms < SAMPLE_MS && times < 1 << 20; ms = took(times)) times *= 2;
  const [samples, end] = [[] as number[], now() + PATIENCE_MS];
  while (samples.length < SAMPLES && (samples.length === 0 || now() < end)) samples.push(took(times) / times);
  samples.sort((a, b) => a - b);
  return samples[samples.length >> 1] ?? 0;
}
