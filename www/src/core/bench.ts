/** The worker that measures: one piece of work after the other, until all are done or it is ended. */
import init, { Ready, rows } from "@wasm/bench";
import wasmUrl from "@wasm/bench/bench_bg.wasm?url";
import { errorData } from "./protocol.ts";
import { COMPARISONS, timeOf, type Comparison, type Side, type Timing } from "./timing.ts";
import type { CoreErrorData } from "./contract.ts";

/** What the worker says. */
export type Said = { begun: Omit<Timing, "ms"> } | { timing: Timing } | { done: true } | { error: CoreErrorData };

interface Scope {
  postMessage(message: Said): void;
  onmessage: (() => void) | null;
}

// The page's type library has no dedicated worker scope; this is the part that is used.
const scope = self as unknown as Scope;

scope.onmessage = async () => {
  try {
    await init({ module_or_path: wasmUrl });
    for (const comparison of COMPARISONS) {
      measure(comparison, "paper");
      measure(comparison, "here");
    }
    scope.postMessage({ done: true });
  } catch (thrown) {
    scope.postMessage({ error: errorData(thrown) });
  }
};

function measure({ id, bench, row, n }: Comparison, side: Side): void {
  scope.postMessage({ begun: { id, side } });
  const index = rows(bench).findIndex((it) => it.name === row && it.n === n);
  const work = Ready.make(bench, index, side === "paper");
  if (!work) throw new Error(`no work: ${bench} ${row} ${n}`);
  const ms = timeOf((times) => work.run(times), () => performance.now());
  work.free();
  scope.postMessage({ timing: { id, side, ms } });
}
