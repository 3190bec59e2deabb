/** The module of values cut into shares, loaded by who needs it. */
import init, * as shares from "@wasm/shares";
import wasmUrl from "@wasm/shares/shares_bg.wasm?url";
import type { Core } from "./keeper.ts";

export async function load(): Promise<Core> {
  await init({ module_or_path: wasmUrl });
  return shares;
}
