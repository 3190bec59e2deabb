/**
 * The worker's side without the worker: owns one room and answers calls.
 *
 * Apart from `worker.ts` so that it can be tested without wasm and without a thread.
 */
import { buffersOf, errorData, stopped, type CallName, type Calls, type Reply, type Request } from "./protocol.ts";
import type { Notice, QuestionDraft, ServiceInfo, StoredEntry } from "./contract.ts";

/** A room of the wasm module. */
export interface CoreRoom {
  next(): Promise<Notice | undefined>;
  take_part(smallGroup: boolean): Promise<void>;
  check_input(text: Uint8Array): Promise<void>;
  submit(text: Uint8Array, number?: number): Promise<void>;
  lock(heads: number): Promise<void>;
  /** In the module of shares. */
  add_up?(smallGroup: boolean): Promise<void>;
  lock_with?(heads: number, computers: Uint8Array): Promise<void>;
  key?(): string;
  ask(draft: QuestionDraft): Promise<void>;
  stored(from: number): Promise<StoredEntry[]>;
  /** One piece. */
  record(withKey: boolean): Promise<Uint8Array[]>;
  wake(): void;
  leave(): void;
  free(): void;
}

/** What the wasm module offers. */
export interface Core {
  services(): ServiceInfo[];
  check_question(draft: QuestionDraft): void;
  Room: {
    host(relay: string, draft: QuestionDraft, contribute: boolean, groupMin: number, secure: boolean): CoreRoom;
    join(relay: string, invite: string, secure: boolean): Promise<CoreRoom>;
  };
}

/** Loads a module of the core; each knows all services and can do those of its own. */
export type Load = (module: string) => Promise<Core>;

const FIRST_MODULE = "sums";

type Post = (reply: Reply, transfer: ArrayBuffer[]) => void;
type Handlers = { [K in CallName]: (...args: Calls[K]["args"]) => Calls[K]["answer"] | Promise<Calls[K]["answer"]> };

/** Owns at most one room for its whole life; a second `host` or `join` is refused. */
export class RoomKeeper {
  readonly #load: Load;
  #core: Promise<Core>;
  readonly #post: Post;
  readonly #secure: boolean;
  #room: CoreRoom | undefined;
  #entered = false;

  /** `secure` says whether the page's origin can vouch for itself: over plain http it cannot. */
  constructor(load: Load, post: Post, secure: boolean) {
    this.#load = load;
    this.#core = load(FIRST_MODULE);
    this.#post = post;
    this.#secure = secure;
  }

  /** Answers one request; never throws. */
  async handle(request: Request): Promise<void> {
    try {
      const run = this.#handlers()[request.call] as (...args: unknown[]) => unknown;
      const answer = run(...request.args);
      wipe(request.args);
      const value = await answer;
      this.#post({ id: request.id, value }, storedBuffers(value));
    } catch (thrown) {
      this.#post({ id: request.id, error: errorData(thrown) }, []);
    } finally {
      wipe(request.args);
    }
  }

  #handlers(): Handlers {
    return {
      services: () => this.#with((core) => core.services()),
      checkQuestion: (draft) => this.#with((core) => core.check_question(draft)),
      host: (...args) => this.#enter((core) => core.Room.host(...args, this.#secure)),
      join: (...args) => this.#enter((core) => core.Room.join(...args, this.#secure)),
      takePart: (smallGroup) => this.#current().take_part(smallGroup),
      addUp: (smallGroup) => this.#current().add_up?.(smallGroup),
      key: () => this.#current().key?.() ?? "",
      checkInput: (text) => this.#current().check_input(text),
      submit: (text, number) => this.#current().submit(text, number),
      lock: (heads, computers) => {
        const room = this.#current();
        return computers.length > 0 && room.lock_with ? room.lock_with(heads, keys(computers)) : room.lock(heads);
      },
      ask: (draft) => this.#current().ask(draft),
      stored: (from) => this.#current().stored(from),
      record: async (withKey) => (await this.#current().record(withKey))[0] ?? new Uint8Array(),
      wake: () => this.#room?.wake(),
      leave: () => this.#room?.leave(),
    };
  }

  /** Asks the core; if the answer is in another module, loads that one and asks again. */
  async #with<T>(ask: (core: Core) => T | Promise<T>): Promise<T> {
    const core = await this.#core;
    try {
      return await ask(core);
    } catch (thrown) {
      const module = otherModule(thrown);
      if (!module) throw thrown;
      this.#core = this.#load(module);
      return ask(await this.#core);
    }
  }

  async #enter(open: (core: Core) => CoreRoom | Promise<CoreRoom>): Promise<void> {
    if (this.#entered) throw { code: "room-open", field: null, message: "" };
    this.#entered = true;
    try {
      this.#room = await this.#with(open);
    } catch (thrown) {
      // Nothing was opened: the person may correct the field and try again.
      this.#entered = false;
      throw thrown;
    }
    void this.#pump(this.#room, open);
  }

  #current(): CoreRoom {
    if (!this.#room) throw { code: "no-room", field: null, message: "" };
    return this.#room;
  }

  async #pump(room: CoreRoom, open: (core: Core) => CoreRoom | Promise<CoreRoom>): Promise<void> {
    try {
      for (let notice = await room.next(); notice; notice = await room.next()) {
        // A typed code does not say which module the room needs; its question does.
        const module = notice.kind === "fault" && !notice.sentAnything ? otherModule(notice) : undefined;
        if (module) {
          this.#core = this.#load(module);
          this.#room = await open(await this.#core);
          return void this.#pump(this.#room, open);
        }
        this.#post({ notice }, buffersOf(Object.values(notice)));
        if (notice.kind === "closed") return;
      }
      this.#post({ notice: { kind: "closed" } }, []);
    } catch (thrown) {
      this.#post({ notice: stopped(errorData(thrown)) }, []);
    }
  }
}

/** Keys of 32 bytes, one after the other. */
function keys(hex: string[]): Uint8Array {
  return Uint8Array.from(hex.join("").match(/../g) ?? [], (byte) => parseInt(byte, 16));
}

/** The module that a refusal names. */
function otherModule(refusal: unknown): string | undefined {
  const { code, field } = refusal as { code?: unknown; field?: unknown };
  return code === "other-module" && typeof field === "string" ? field : undefined;
}

/** Overwrites what a person typed: the core has its own copy, which it wipes itself. */
function wipe(args: readonly unknown[]): void {
  for (const value of args) {
    if (value instanceof Uint8Array) value.fill(0);
  }
}

function storedBuffers(value: unknown): ArrayBuffer[] {
  if (value instanceof Uint8Array) return buffersOf([value]);
  return Array.isArray(value) ? buffersOf(value.map((entry: Partial<StoredEntry>) => entry.bytes)) : [];
}
