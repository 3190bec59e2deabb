/** Checks a record in a worker of its own, which ends with the answer. */
import workerUrl from "./record.ts?worker&url";
import { scriptUrl } from "../page/trusted.ts";
import { CoreError } from "./client.ts";
import type { Verified } from "./contract.ts";
import type { Checked } from "./record.ts";

/** Throws a `CoreError` that says what does not hold. */
export async function checkRecord(bytes: Uint8Array<ArrayBuffer>): Promise<Verified> {
  const worker = new Worker(scriptUrl(workerUrl), { type: "module", name: "record" });
  try {
    const checked = await new Promise<Checked>((resolve) => {
      worker.onmessage = ({ data }: MessageEvent<Checked>) => resolve(data);
      worker.onerror = () => resolve({ error: { code: "core-stopped", field: null, message: "" } });
      worker.postMessage(bytes, [bytes.buffer]);
    });
    if ("error" in checked) throw new CoreError(checked.error);
    return checked.verified;
  } finally {
    worker.terminate();
  }
}
