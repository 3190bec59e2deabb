/** A stand-in for the wasm module that measures: work that takes as long as is written here. */
export default async function init() {}

const TIMES_MS = {
  "pcl-message": [["complete", "100", 2, 15]],
  "kdk-pairing-message": [["message", "100", 6, 120]],
  recovery: [["curve", "2^30", 2, 160], ["pairing-group", "2^20", 1, 40]],
};

export const rows = (bench) => TIMES_MS[bench].map(([name, n]) => ({ name, n, baseline: "as in the paper" }));

export class Ready {
  static make(bench, row, baseline) {
    return Object.assign(new Ready(), { ms: TIMES_MS[bench][row][baseline ? 3 : 2] });
  }

  run(times) {
    for (const end = performance.now() + times * this.ms; performance.now() < end; );
  }

  free() {}
}
