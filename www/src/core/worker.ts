/** The room's worker: loads the wasm module once and lets a `RoomKeeper` own one room. */
import init, * as sums from "@wasm/sums";
import wasmUrl from "@wasm/sums/sums_bg.wasm?url";
import { RoomKeeper, type Core } from "./keeper.ts";
import type { Request } from "./protocol.ts";

interface Scope {
  postMessage(message: unknown, transfer: Transferable[]): void;
  onmessage: ((event: MessageEvent<Request>) => void) | null;
}

// The page's type library has no dedicated worker scope; this is the part that is used.
const scope = self as unknown as Scope;

const core: Promise<Core> = init({ module_or_path: wasmUrl }).then(() => sums);
const keeper = new RoomKeeper(core, (reply, transfer) => scope.postMessage(reply, transfer), isSecureContext);

scope.onmessage = (event) => void keeper.handle(event.data);
