/** The module of sums that people may vanish from, loaded by who needs it. */
import init, * as drops from "@wasm/drops";
import wasmUrl from "@wasm/drops/drops_bg.wasm?url";
import type { Core } from "./keeper.ts";

export async function load(): Promise<Core> {
  await init({ module_or_path: wasmUrl });
  return drops;
}
