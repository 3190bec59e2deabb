/** The room's worker: loads the wasm module that a room needs and lets a `RoomKeeper` own one room. */
import init, * as sums from "@wasm/sums";
import wasmUrl from "@wasm/sums/sums_bg.wasm?url";
import { openStore } from "../seat/ledger.ts";
import { RoomKeeper, type Core } from "./keeper.ts";
import type { Request } from "./protocol.ts";

interface Scope {
  postMessage(message: unknown, transfer: Transferable[]): void;
  onmessage: ((event: MessageEvent<Request>) => void) | null;
}

// The page's type library has no dedicated worker scope; this is the part that is used.
const scope = self as unknown as Scope;

async function load(module: string): Promise<Core> {
  if (module === "groups") return (await import("./groups.ts")).load();
  if (module === "pairing") return (await import("./pairing.ts")).load();
  if (module === "shares") return (await import("./shares.ts")).load();
  if (module === "drops") return (await import("./drops.ts")).load();
  await init({ module_or_path: wasmUrl });
  return sums;
}

const keeper = new RoomKeeper(load, (reply, transfer) => scope.postMessage(reply, transfer), isSecureContext, openStore());

scope.onmessage = (event) => void keeper.handle(event.data);
