/** Measures in a worker of its own, which ends with the last answer or when it is told to. */
import workerUrl from "./bench.ts?worker&url";
import { scriptUrl } from "../page/trusted.ts";
import { CoreError } from "./client.ts";
import type { Said } from "./bench.ts";

/** Tells whatever the worker says; throws a `CoreError` if it stopped. `signal` ends it at once. */
export async function measure(tell: (said: Said) => void, signal: AbortSignal): Promise<void> {
  const worker = new Worker(scriptUrl(workerUrl), { type: "module", name: "bench" });
  try {
    await new Promise<void>((resolve, reject) => {
      const stopped = (): void => reject(new CoreError({ code: "core-stopped", field: null, message: "" }));
      worker.onmessage = ({ data }: MessageEvent<Said>) => {
        if ("error" in data) reject(new CoreError(data.error));
        else if ("done" in data) resolve();
        else tell(data);
      };
      worker.onerror = stopped;
      signal.addEventListener("abort", () => resolve(), { once: true });
      worker.postMessage(null);
    });
  } finally {
    worker.terminate();
  }
}
