/** The wasm module `sums` as its worker sees it; the build maps the name to `pkg/wasm/sums`. */
declare module "@wasm/sums" {
  import type { CoreLedger } from "@undertone/keeper";
  import type { Notice, QuestionDraft, ServiceInfo, StoredEntry } from "@undertone/contract";

  export default function init(options: { module_or_path: string | URL | Uint8Array }): Promise<unknown>;
  export function services(): ServiceInfo[];
  export function check_question(draft: QuestionDraft): void;

  export class Room {
    static host(
      relay: string,
      draft: QuestionDraft,
      contribute: boolean,
      groupMin: number,
      secure: boolean,
      ledger: CoreLedger,
    ): Promise<Room>;
    /** Looks into a room; nothing new is said before `take_part`. */
    static join(relay: string, invite: string, secure: boolean, ledger: CoreLedger): Promise<Room>;
    static resume(relay: string, room: Uint8Array, secure: boolean, ledger: CoreLedger): Promise<Room>;
    take_part(smallGroup: boolean): Promise<void>;
    next(): Promise<Notice | undefined>;
    check_input(text: Uint8Array): Promise<void>;
    submit(text: Uint8Array, number?: number): Promise<void>;
    lock(heads: number): Promise<void>;
    ask(draft: QuestionDraft): Promise<void>;
    stored(from: number): Promise<StoredEntry[]>;
    record(withKey: boolean): Promise<Uint8Array[]>;
    wake(): void;
    leave(): void;
    free(): void;
  }
}

declare module "@wasm/sums/sums_bg.wasm?url" {
  const url: string;
  export default url;
}
