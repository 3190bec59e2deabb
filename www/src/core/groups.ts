/** The module of values in groups, loaded by who needs it. */
import init, * as groups from "@wasm/groups";
import wasmUrl from "@wasm/groups/groups_bg.wasm?url";
import type { Core } from "./keeper.ts";

export async function load(): Promise<Core> {
  await init({ module_or_path: wasmUrl });
  return groups;
}
