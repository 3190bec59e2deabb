/** The module of values behind a pairing, loaded by who needs it. */
import init, * as pairing from "@wasm/pairing";
import wasmUrl from "@wasm/pairing/pairing_bg.wasm?url";
import type { Core } from "./keeper.ts";

export async function load(): Promise<Core> {
  await init({ module_or_path: wasmUrl });
  return pairing;
}
