/**
 * What a browser keeps of its seats: one record for each, with everything it said beside it.
 *
 * Names of the database, of its stores and of locks, and the keys of records, are numbers drawn on
 * this device and the places of entries. No secret and no room is in any of them.
 */
import { openDB, type DBSchema, type IDBPDatabase, type IDBPTransaction } from "idb";
import type { QuestionDraft } from "../core/contract.ts";

/** What a host decided when it opened the room. */
export interface Opened {
  draft: QuestionDraft;
  contribute: boolean;
  groupMin: number;
}

/** A seat as it is kept. */
export interface Seat {
  /** Drawn on this device; the seat's number in the page's address. */
  id: string;
  /** Set for the host's seat. */
  opened: Opened | null;
  /** A guest's room, by its public number. Empty for a host. */
  room: Uint8Array;
  /** The wasm module that the room needs. */
  module: string;
  /** When it was taken, on this device's clock. */
  takenAt: number;
  /** Which tab speaks for it: only that one can add to what it said. */
  holder: string;
  /** Moves while the holder lives, where there are no Web Locks. */
  beat: number;
  /** Its person agreed to a small group. */
  smallGroup: boolean;
  /** Its key, if it adds up for the others. */
  addsUp: string;
  /** What opens its secrets, and leaves the browser for nobody; none on plain http. */
  key: CryptoKey | null;
  /** The seat's seed and the invite's secret, sealed under that key. */
  secrets: Uint8Array;
}

interface Schema extends DBSchema {
  seats: { key: string; value: Seat };
  /** By seat and place. */
  said: { key: [seat: string, place: string]; value: Uint8Array };
}

const NAME = "undertone";
const VERSION = 1;
/** A crash of the device after an entry left must not bring back the time before. */
const STRICT = "strict";

type Writing = IDBPTransaction<Schema, ("seats" | "said")[], "readwrite">;

export class Store {
  readonly #db: IDBPDatabase<Schema>;

  private constructor(db: IDBPDatabase<Schema>) {
    this.#db = db;
  }

  /** Throws where the browser keeps nothing. */
  static async open(): Promise<Store> {
    const db = await openDB<Schema>(NAME, VERSION, {
      upgrade: (db) => {
        db.createObjectStore("seats", { keyPath: "id" });
        db.createObjectStore("said");
      },
      // Somebody deletes everything, or a newer page is there: this tab does not stand in the way.
      blocking: (_from, _to, event) => (event.target as IDBDatabase).close(),
    });
    return new Store(db);
  }

  seat(id: string): Promise<Seat | undefined> {
    return this.#db.get("seats", id);
  }

  seats(): Promise<Seat[]> {
    return this.#db.getAll("seats");
  }

  /** The guest's seat in a room. */
  async inRoom(room: Uint8Array): Promise<Seat | undefined> {
    return (await this.seats()).find((seat) => isGuestIn(seat, room));
  }

  /** Keeps a new seat, unless a guest's seat in its room came to be meanwhile; gives the one that is there. */
  async create(seat: Seat): Promise<Seat> {
    const tx = this.#writing();
    const all = await tx.objectStore("seats").getAll();
    const there = seat.opened ? undefined : all.find((other) => isGuestIn(other, seat.room));
    if (!there) await tx.objectStore("seats").add(seat);
    await tx.done;
    return there ?? seat;
  }

  /** Makes a tab the holder of a seat. */
  claim(id: string, holder: string): Promise<Seat> {
    return this.#change(id, () => true, { holder, beat: 1 });
  }

  /** Changes a seat of which that tab is the holder. Throws if it is not. */
  note(id: string, holder: string, change: Partial<Seat>): Promise<Seat> {
    return this.#change(id, (seat) => seat.holder === holder, change);
  }

  /** Shows that the holder lives. What a crash takes of it is no loss. */
  beat(id: string, holder: string, beat: number): Promise<Seat> {
    return this.#change(id, (seat) => seat.holder === holder, { beat }, "relaxed");
  }

  /** Everything that a seat said. */
  said(id: string): Promise<Uint8Array[]> {
    return this.#db.getAll("said", placesOf(id));
  }

  /**
   * The ledger's one operation: keeps bytes under a place unless the place is taken, makes them durable,
   * and reads back what is there. Throws for whoever does not hold the seat.
   */
  async add(id: string, holder: string, place: string, bytes: Uint8Array): Promise<Uint8Array> {
    const tx = this.#writing();
    const [seat, there] = await Promise.all([
      tx.objectStore("seats").get(id),
      tx.objectStore("said").get([id, place]),
    ]);
    if (seat?.holder !== holder) return abort(tx);
    if (there === undefined) await tx.objectStore("said").add(bytes, [id, place]);
    await tx.done;
    const kept = await this.#db.get("said", [id, place]);
    if (!kept) throw new Error("nothing was kept");
    return kept;
  }

  /** Deletes a seat: its key, its secrets and what it said. */
  async remove(id: string): Promise<void> {
    const tx = this.#writing();
    await Promise.all([tx.objectStore("seats").delete(id), tx.objectStore("said").delete(placesOf(id))]);
    await tx.done;
  }

  async #change(id: string, may: (seat: Seat) => boolean, change: Partial<Seat>, durability: "strict" | "relaxed" = STRICT): Promise<Seat> {
    const tx = this.#writing(durability);
    const seat = await tx.objectStore("seats").get(id);
    if (!seat || !may(seat)) return abort(tx);
    const changed = { ...seat, ...change };
    await tx.objectStore("seats").put(changed);
    await tx.done;
    return changed;
  }

  #writing(durability: "strict" | "relaxed" = STRICT): Writing {
    return this.#db.transaction(["seats", "said"], "readwrite", { durability });
  }
}

async function abort(tx: Writing): Promise<never> {
  tx.abort();
  await tx.done.catch(() => undefined);
  throw new Error("another tab holds this seat, or it is gone");
}

function placesOf(id: string): IDBKeyRange {
  return IDBKeyRange.bound([id], [id, []]);
}

function isGuestIn(seat: Seat, room: Uint8Array): boolean {
  return !seat.opened && seat.room.length === room.length && seat.room.every((byte, i) => byte === room[i]);
}
