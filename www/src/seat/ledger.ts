/**
 * The ledger of the seat that this worker speaks for: what the core is given to keep its seat in.
 */
import { held, hold, lockName, type Hold } from "./hold.ts";
import { opened, sealed } from "./seal.ts";
import { Store, type Opened, type Seat } from "./store.ts";

/** A seat's keys live for a day at most, also if nobody comes back for them. */
export const SEAT_MS_MAX = 24 * 3600 * 1000;
const ID_BYTES = 8;

/** Which seat is wanted: that of a new room, this device's in the room that the core names, or a kept one. */
export type Wanted =
  | { kind: "host"; opened: Opened }
  | { kind: "guest" }
  | { kind: "kept"; id: string };

/** Why a seat cannot be taken. */
export type Trouble = "seat-elsewhere" | "seat-gone";

export class SeatLedger {
  readonly #store: Promise<Store | undefined>;
  readonly #wanted: Wanted;
  readonly #steal: boolean;
  readonly #lost: () => void;
  readonly #holder = drawn();
  #seat: Seat | undefined;
  #hold: Hold | undefined;
  /** Where the browser keeps nothing: for as long as this worker lives. */
  readonly #memory = new Map<string, Uint8Array>();
  #fresh = false;
  #restored = false;
  /** The core was given what is kept. */
  #served = false;
  /** What the core is not told: it only learns that it has no ledger. */
  trouble: Trouble | undefined;

  constructor(store: Promise<Store | undefined>, wanted: Wanted, options: { steal: boolean; lost: () => void }) {
    this.#store = store;
    this.#wanted = wanted;
    this.#steal = options.steal;
    this.#lost = options.lost;
  }

  /** What is kept of the seat, beside its secrets. */
  get seat(): Seat | undefined {
    return this.#seat;
  }

  /** What a host decided; nothing for a guest. */
  get opened(): Opened | null {
    return this.#wanted.kind === "host" ? this.#wanted.opened : (this.#seat?.opened ?? null);
  }

  /** The seat's number, also of one that another tab holds. */
  id = "";

  /** Whether the seat said something before this worker spoke for it. */
  get restored(): boolean {
    return this.#restored;
  }

  /** Reads a kept seat before the core asks for it. Throws its trouble. */
  async find(): Promise<Seat> {
    const store = await this.#store;
    const seat = this.#wanted.kind === "kept" ? await store?.seat(this.#wanted.id) : undefined;
    if (!seat || !store) throw this.#refuse("seat-gone");
    return this.#take(store, seat);
  }

  /**
   * For the core, in one piece: whether the seat's person agreed to a small group, the seat's secrets, which
   * are these if it is a new one, and everything it said.
   */
  async open(room: Uint8Array<ArrayBuffer>, fresh: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
    try {
      const secrets = await this.#open(room, fresh);
      const kept = inOnePiece(this.#seat?.smallGroup ?? false, [secrets, ...(await this.#said())]);
      secrets.fill(0);
      this.#served = true;
      return kept;
    } finally {
      fresh.fill(0);
    }
  }

  async #open(room: Uint8Array<ArrayBuffer>, fresh: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
    const store = await this.#store;
    if (!store) return this.#keep("secrets", fresh);
    if (this.#seat) return opened(this.id, this.#seat);
    const there = this.#wanted.kind === "guest" ? await store.inRoom(room) : undefined;
    const seat = there && (await this.#take(store, there).catch(unlessGone));
    return seat ? this.#better(store, seat, fresh) : this.#create(store, room, fresh);
  }

  /** Who typed the code and now has the link may as well have come by it, as long as nothing is said. */
  async #better(store: Store, seat: Seat, fresh: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
    const kept = await opened(seat.id, seat);
    if (this.#restored || kept.length >= fresh.length) return kept;
    this.#seat = await store.note(seat.id, this.#holder, await sealed(seat.id, fresh));
    return fresh.slice();
  }

  async #create(store: Store, room: Uint8Array<ArrayBuffer>, fresh: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
    if (this.#wanted.kind === "kept") throw this.#refuse("seat-gone");
    const id = drawn();
    const seat = await store.create({
      id,
      opened: this.#wanted.kind === "host" ? this.#wanted.opened : null,
      room: room.slice(),
      module: "",
      takenAt: Date.now(),
      holder: "",
      beat: 0,
      smallGroup: false,
      addsUp: "",
      ...(await sealed(id, fresh)),
    });
    this.#fresh = seat.id === id;
    this.trouble = undefined;
    return opened(seat.id, await this.#take(store, seat));
  }

  /** Becomes the one who speaks for a seat. */
  async #take(store: Store, { id }: Seat): Promise<Seat> {
    this.id = id;
    const got = hold(store, { id, holder: this.#holder, steal: this.#steal, lost: this.#lost });
    this.#hold = await got.catch(() => {
      throw this.#refuse("seat-gone");
    });
    if (!this.#hold) throw this.#refuse("seat-elsewhere");
    const [seat, said] = await Promise.all([store.seat(id), store.said(id)]);
    if (!seat || isOver(seat)) {
      await store.remove(id);
      this.#hold.release();
      throw this.#refuse("seat-gone");
    }
    this.#restored = said.length > 0;
    return (this.#seat = seat);
  }

  #refuse(trouble: Trouble): Trouble {
    this.trouble = trouble;
    return trouble;
  }

  #keep(place: string, bytes: Uint8Array): Uint8Array {
    const kept = this.#memory.get(place) ?? bytes.slice();
    this.#memory.set(place, kept);
    return kept.slice();
  }

  async #said(): Promise<Uint8Array[]> {
    const store = await this.#store;
    return store && this.#seat ? store.said(this.id) : [];
  }

  /** For the core: keeps what it is about to say, unless it said something in that place; gives what is kept. */
  async add(place: string, bytes: Uint8Array): Promise<Uint8Array> {
    const store = await this.#store;
    return store && this.#seat ? store.add(this.id, this.#holder, place, bytes) : this.#keep(place, bytes);
  }

  /** Whether this worker still speaks for the seat. */
  async isMine(): Promise<boolean> {
    if (!this.#seat) return true;
    const seat = await (await this.#store)?.seat(this.id);
    return seat === undefined || seat.holder === this.#holder;
  }

  /** Keeps what the page needs to know of its seat when it comes back. */
  async note(change: Partial<Pick<Seat, "module" | "smallGroup" | "addsUp">>): Promise<void> {
    const store = await this.#store;
    if (store && this.#seat) this.#seat = await store.note(this.id, this.#holder, change);
  }

  /**
   * No room came of it. A new seat goes; so does one that the core refuses for what is kept of it: it is torn
   * or another seat's, and whoever comes again is a new one. Any other stays, for whoever takes it next.
   */
  async giveUp(refused: boolean): Promise<void> {
    const torn = refused && this.#served && !this.#fresh;
    if (torn) this.trouble = "seat-gone";
    if (torn || this.#fresh) await this.remove();
    this.#hold?.release();
  }

  /** The room is over: its keys go with it. */
  async remove(): Promise<void> {
    const seat = this.#seat;
    this.#seat = undefined;
    if (seat) await (await this.#store)?.remove(this.id);
    this.#hold?.release();
  }
}

/** The store, if this browser keeps anything, without the seats whose day is over. */
export async function openStore(): Promise<Store | undefined> {
  try {
    const store = await Store.open();
    await sweep(store);
    return store;
  } catch {
    return undefined;
  }
}

/** Seats that a living tab holds stay until it lets go, where locks tell. */
async function sweep(store: Store): Promise<void> {
  const [seats, holding] = [await store.seats(), await held()];
  const old = seats.filter((seat) => isOver(seat) && !holding?.has(lockName(seat.id)));
  await Promise.all(old.map(({ id }) => store.remove(id)));
}

function isOver({ takenAt }: Seat): boolean {
  return Date.now() - takenAt > SEAT_MS_MAX;
}

/** A seat that ended, or whose day is over, makes way for a new one. */
function unlessGone(trouble: unknown): undefined {
  if (trouble !== "seat-gone") throw trouble;
}

/** 1 or 0, then each part behind its length in four bytes, the highest first. */
function inOnePiece(agreed: boolean, parts: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((bytes, part) => bytes + 4 + part.length, 1));
  whole[0] = agreed ? 1 : 0;
  let at = 1;
  for (const part of parts) {
    new DataView(whole.buffer).setUint32(at, part.length);
    whole.set(part, at + 4);
    at += 4 + part.length;
  }
  return whole;
}

/** A number that says nothing and that nobody else has. */
function drawn(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(ID_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
