/**
 * The worker's side without the worker: owns one room and answers calls.
 *
 * Apart from `worker.ts` so that it can be tested without wasm and without a thread.
 */
import { SeatLedger, type Trouble, type Wanted } from "../seat/ledger.ts";
import type { Opened, Seat, Store } from "../seat/store.ts";
import { buffersOf, errorData, stopped, type CallName, type Calls, type Reply, type Request } from "./protocol.ts";
import type { Notice, QuestionDraft, SeatInfo, ServiceInfo, StoredEntry } from "./contract.ts";

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
    host(
      relay: string,
      draft: QuestionDraft,
      contribute: boolean,
      groupMin: number,
      secure: boolean,
      ledger: CoreLedger,
    ): Promise<CoreRoom>;
    join(relay: string, invite: string, secure: boolean, ledger: CoreLedger): Promise<CoreRoom>;
    resume(relay: string, room: Uint8Array, secure: boolean, ledger: CoreLedger): Promise<CoreRoom>;
  };
}

/** What the core keeps its seat in. */
export type CoreLedger = Pick<SeatLedger, "open" | "add">;

/** Loads a module of the core; each knows all services and can do those of its own. */
export type Load = (module: string) => Promise<Core>;

const FIRST_MODULE = "sums";
/** Modules hold the services of the first one as well, but for this, which has no space for them. */
const ALONE = "pairing";

/** Whether a module holds the services of another. */
function holds(module: string, other: string): boolean {
  return module === other || (other === FIRST_MODULE && module !== ALONE);
}

/** These ends are the world's and may be retried: the seat is kept. After any other its keys are deleted. */
const RETRIED: readonly string[] = ["link-lost", "relay-refused", "store-failed", "core-stopped"];

type Open = (core: Core, ledger: SeatLedger) => Promise<CoreRoom>;
type Fault = Extract<Notice, { kind: "fault" }>;
type Post = (reply: Reply, transfer: ArrayBuffer[]) => void;
type Handlers = { [K in CallName]: (...args: Calls[K]["args"]) => Calls[K]["answer"] | Promise<Calls[K]["answer"]> };

/** Owns at most one room for its whole life; a second `host` or `join` is refused. */
export class RoomKeeper {
  readonly #load: Load;
  #module = FIRST_MODULE;
  #core: Promise<Core>;
  readonly #post: Post;
  readonly #secure: boolean;
  readonly #store: Promise<Store | undefined>;
  #room: CoreRoom | undefined;
  #ledger: SeatLedger | undefined;
  #entered = false;

  /**
   * `secure` says whether the page's origin can vouch for itself: over plain http it cannot. `store` is
   * where seats are kept, if they can be.
   */
  constructor(load: Load, post: Post, secure: boolean, store: Promise<Store | undefined>) {
    this.#load = load;
    this.#core = load(this.#module);
    this.#post = post;
    this.#secure = secure;
    this.#store = store;
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
      services: () => this.#services(),
      checkQuestion: (draft) => this.#with((core) => core.check_question(draft)),
      host: (relay, draft, contribute, groupMin) => this.#host(relay, { draft, contribute, groupMin }),
      join: (relay, invite) =>
        this.#enter({ kind: "guest" }, false, (core, ledger) => core.Room.join(relay, invite, this.#secure, ledger)),
      resume: (relay, id, steal) => this.#resume(relay, id, steal),
      takePart: (smallGroup) => this.#come({ smallGroup }, (room) => room.take_part(smallGroup)),
      addUp: (smallGroup) => this.#come({ smallGroup, addsUp: this.#key() }, (room) => room.add_up?.(smallGroup)),
      key: () => this.#key(),
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

  /**
   * All services, of which the first module tells, or those that can be asked in the room: its people stay
   * with the module they have.
   */
  async #services(): Promise<ServiceInfo[]> {
    if (!this.#room && this.#module !== FIRST_MODULE) await this.#change(FIRST_MODULE);
    const all = (await this.#core).services();
    return this.#room ? all.filter(({ module }) => holds(this.#module, module)) : all;
  }

  #change(module: string): Promise<Core> {
    this.#module = module;
    return (this.#core = this.#load(module));
  }

  /** Asks the core; if the answer is in another module, loads that one and asks again. A room stays in its own. */
  async #with<T>(ask: (core: Core) => T | Promise<T>): Promise<T> {
    const core = await this.#core;
    try {
      return await ask(core);
    } catch (thrown) {
      const module = otherModule(thrown);
      if (!module || this.#room) throw thrown;
      return ask(await this.#change(module));
    }
  }

  #host(relay: string, opened: Opened): Promise<SeatInfo> {
    return this.#enter({ kind: "host", opened }, false, this.#hosting(relay, opened));
  }

  #hosting(relay: string, { draft, contribute, groupMin }: Opened): Open {
    return (core, ledger) => core.Room.host(relay, draft, contribute, groupMin, this.#secure, ledger);
  }

  /** Takes up a kept seat; `steal` takes it from another tab that holds it. */
  #resume(relay: string, id: string, steal: boolean): Promise<SeatInfo> {
    return this.#enter({ kind: "kept", id }, steal, async (core, ledger) => {
      const { opened, room } = ledger.seat ?? { opened: null, room: new Uint8Array() };
      if (opened) return this.#hosting(relay, opened)(core, ledger);
      return core.Room.resume(relay, room, this.#secure, ledger);
    });
  }

  async #enter(wanted: Wanted, steal: boolean, open: Open): Promise<SeatInfo> {
    if (this.#entered) throw refusal("room-open");
    this.#entered = true;
    const ledger = new SeatLedger(this.#store, wanted, { steal, lost: () => this.#lost(ledger.id) });
    try {
      if (wanted.kind === "kept") await this.#find(ledger);
      this.#room = await this.#with((core) => open(core, ledger));
    } catch (thrown) {
      // Nothing was opened: the person may correct the field and try again.
      this.#entered = false;
      await ledger.giveUp(errorData(thrown).code === "store-failed");
      throw this.#explained(ledger, thrown);
    }
    this.#ledger = ledger;
    await ledger.note({ module: this.#module }).catch(() => undefined);
    void this.#pump(this.#room, open, ledger);
    return info(ledger);
  }

  /** Its module is known: others need not be loaded first. */
  async #find(ledger: SeatLedger): Promise<void> {
    const { module } = await ledger.find();
    if (module && module !== this.#module) await this.#change(module);
  }

  /** Why a seat cannot be taken is not the core's to know. */
  #explained({ id, trouble }: SeatLedger, thrown: unknown): unknown {
    if (trouble === "seat-elsewhere") this.#post({ notice: { kind: "elsewhere", seat: id } }, []);
    return trouble ? refusal(trouble) : thrown;
  }

  /** Another tab speaks for the seat now: this one says nothing any more. */
  #lost(seat: string): void {
    this.#room = undefined;
    this.#post({ notice: { kind: "elsewhere", seat } }, []);
  }

  /** What the person agreed to is kept before anything follows from it. */
  async #come(terms: Pick<Partial<Seat>, "smallGroup" | "addsUp">, enter: (room: CoreRoom) => Promise<void> | undefined): Promise<void> {
    const room = this.#current();
    await this.#ledger?.note(terms);
    await enter(room);
  }

  #key(): string {
    return this.#current().key?.() ?? "";
  }

  #current(): CoreRoom {
    if (!this.#room) throw refusal("no-room");
    return this.#room;
  }

  async #pump(room: CoreRoom, open: Open, ledger: SeatLedger): Promise<void> {
    let asked = false;
    let last: Fault | undefined;
    try {
      for (let notice = await room.next(); notice; notice = await room.next()) {
        if (room !== this.#room) return;
        asked ||= notice.kind === "question";
        // A typed code does not say which module the room needs; its first question does. With a later one
        // the people are listed, and who comes anew is not.
        const module = notice.kind === "fault" && !asked ? otherModule(notice) : undefined;
        if (module) return await this.#reopen(module, open, ledger);
        if (notice.kind === "closed") break;
        if (notice.kind === "fault" && RETRIED.includes(notice.code) && !(await ledger.isMine())) return this.#lost(ledger.id);
        last = notice.kind === "fault" ? notice : undefined;
        this.#post({ notice }, buffersOf(Object.values(notice)));
      }
      await this.#close(ledger, last);
    } catch (thrown) {
      this.#post({ notice: stopped(errorData(thrown)) }, []);
    }
  }

  async #reopen(module: string, open: Open, ledger: SeatLedger): Promise<void> {
    this.#room = await open(await this.#change(module), ledger);
    await ledger.note({ module });
    return this.#pump(this.#room, open, ledger);
  }

  /** A room that is over needs no keys: its seat is deleted, unless it may be taken up again. */
  async #close(ledger: SeatLedger, fault: Fault | undefined): Promise<void> {
    const kept = ledger.seat !== undefined && fault !== undefined && RETRIED.includes(fault.code);
    if (!kept) await ledger.remove().catch(() => undefined);
    this.#post({ notice: { kind: "closed", kept } }, []);
  }
}

function refusal(code: Trouble | "room-open" | "no-room"): { code: string; field: null; message: string } {
  return { code, field: null, message: "" };
}

/** What the page needs to know of its seat. */
function info({ id, seat, opened, restored }: SeatLedger): SeatInfo {
  const addsUp = seat?.addsUp ?? "";
  return {
    id: seat ? id : "",
    role: opened ? "host" : "guest",
    contribute: opened ? opened.contribute : addsUp === "",
    addsUp,
    tookPart: restored,
  };
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
