/** The worker that checks records: one message in, one out, and nothing ever goes to a network. */
import init, { verify_record } from "@wasm/record";
import wasmUrl from "@wasm/record/record_bg.wasm?url";
import { errorData } from "./protocol.ts";
import type { CoreErrorData, Verified } from "./contract.ts";

/** What the worker answers. */
export type Checked = { verified: Verified } | { error: CoreErrorData };

interface Scope {
  postMessage(message: Checked): void;
  onmessage: ((event: MessageEvent<Uint8Array>) => void) | null;
}

// The page's type library has no dedicated worker scope; this is the part that is used.
const scope = self as unknown as Scope;

scope.onmessage = async ({ data }) => {
  try {
    await init({ module_or_path: wasmUrl });
    scope.postMessage({ verified: verify_record(data) });
  } catch (thrown) {
    scope.postMessage({ error: errorData(thrown) });
  }
};
