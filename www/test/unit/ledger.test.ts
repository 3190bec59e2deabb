import "fake-indexeddb/auto";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openDB } from "idb";
import { IDBFactory } from "fake-indexeddb";
import { openStore, SEAT_MS_MAX, SeatLedger, type Wanted } from "../../src/seat/ledger.ts";
import { opened, sealed } from "../../src/seat/seal.ts";
import type { Opened, Store } from "../../src/seat/store.ts";

const ROOM = Uint8Array.of(1, 2, 3);
const NONE = new Uint8Array();
const asked = { draft: { service: "sum" }, contribute: true, groupMin: 5 } as Opened;

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A page that wants a seat; `lost` counts how often it was told that another has it. */
function tab(wanted: Wanted, steal = false): { ledger: SeatLedger; lost: { times: number }; store: Promise<Store | undefined> } {
  const [store, lost] = [openStore(), { times: 0 }];
  return { ledger: new SeatLedger(store, wanted, { steal, lost: () => void lost.times++ }), lost, store };
}

const secrets = (fill: number, length = 48): Uint8Array<ArrayBuffer> => new Uint8Array(length).fill(fill);
const entry = (n: number): Uint8Array => Uint8Array.of(0x02, n);

/** What the core reads: consent, secrets, and what was said. */
async function read(ledger: SeatLedger, room: Uint8Array<ArrayBuffer>, fresh: Uint8Array<ArrayBuffer>): Promise<(boolean | Uint8Array)[]> {
  const kept = Buffer.from(await ledger.open(room, fresh));
  const parts: (boolean | Uint8Array)[] = [kept[0] === 1];
  for (let at = 1; at < kept.length; ) {
    const length = kept.readUInt32BE(at);
    parts.push(new Uint8Array(kept.subarray(at + 4, (at += 4 + length))));
  }
  return parts;
}

/** The secrets alone. */
const open = async (...args: Parameters<typeof read>): Promise<boolean | Uint8Array | undefined> => (await read(...args))[1];

/** The bytes that Web Locks would hold back: tests without them see what the store alone does. */
function withoutLocks(): void {
  vi.stubGlobal("navigator", {});
}

/** Web Locks for one process of tests: one holder for a name, taken away by `steal`. */
function withLocks(): void {
  const holders = new Map<string, (reason: unknown) => void>();
  const request = (name: string, { steal, signal }: LockOptions, work: () => Promise<void>): Promise<void> =>
    new Promise((resolve, reject) => {
      const wait = (): void => {
        if (holders.has(name) && !steal) return void setTimeout(() => (signal?.aborted ? reject(signal.reason) : wait()), 20);
        holders.get(name)?.(new DOMException("stolen", "AbortError"));
        holders.set(name, reject);
        void work().then(() => (holders.delete(name), resolve()));
      };
      wait();
    });
  const query = async (): Promise<LockManagerSnapshot> => ({ held: [...holders.keys()].map((name) => ({ name })), pending: [] });
  vi.stubGlobal("navigator", { locks: { request, query } });
}

test("the first bytes in a place stay, and a reload finds them and the secrets", async () => {
  withLocks();
  const { ledger } = tab({ kind: "guest" });
  expect(await read(ledger, ROOM, secrets(7))).toEqual([false, secrets(7)]);
  expect(ledger.restored).toBe(false);
  expect(await ledger.add("entry/0", entry(1))).toEqual(entry(1));
  expect(await ledger.add("entry/0", entry(2))).toEqual(entry(1));
  const again = tab({ kind: "kept", id: ledger.id }, true).ledger;
  expect((await again.find()).room).toEqual(ROOM);
  expect(await read(again, ROOM, secrets(9))).toEqual([false, secrets(7), entry(1)]);
  expect(again.restored).toBe(true);
});

test("consent to a small group is kept with the seat", async () => {
  withLocks();
  const { ledger } = tab({ kind: "guest" });
  await ledger.open(ROOM, secrets(7));
  await ledger.note({ smallGroup: true });
  const again = tab({ kind: "kept", id: ledger.id }, true).ledger;
  await again.find();
  expect((await read(again, ROOM, secrets(9)))[0]).toBe(true);
});

test("what the core handed over is wiped", async () => {
  const given = secrets(7);
  await tab({ kind: "guest" }).ledger.open(ROOM, given);
  expect(given).toEqual(secrets(0));
});

test("of two tabs that write to one place at once, one wins and both read the same", async () => {
  withLocks();
  const { ledger } = tab({ kind: "guest" });
  await ledger.open(ROOM, secrets(7));
  const both = await Promise.all([ledger.add("entry/0", entry(1)), ledger.add("entry/0", entry(2))]);
  expect(both[0]).toEqual(both[1]);
});

test("who comes to the room again has the same seat, and the host's seat is another", async () => {
  withLocks();
  const host = tab({ kind: "host", opened: asked }).ledger;
  await host.open(NONE, secrets(1, 32));
  const guest = tab({ kind: "guest" }).ledger;
  await guest.open(ROOM, secrets(7));
  const again = tab({ kind: "guest" }, true).ledger;
  expect(await open(again, ROOM, secrets(9))).toEqual(secrets(7));
  expect([again.id === guest.id, again.id === host.id]).toEqual([true, false]);
  expect(host.opened).toEqual(asked);
});

test("who came by words may still come by the link, until something is said", async () => {
  withLocks();
  const words = tab({ kind: "guest" }).ledger;
  await words.open(ROOM, secrets(1, 32));
  const link = tab({ kind: "guest" }, true).ledger;
  expect(await open(link, ROOM, secrets(2, 48))).toEqual(secrets(2, 48));
  await link.add("entry/0", entry(1));
  const later = tab({ kind: "guest" }, true).ledger;
  expect(await open(later, ROOM, secrets(3, 64))).toEqual(secrets(2, 48));
});

const offers = [["Web Locks", withLocks], ["a lease", withoutLocks]] as const;

test.each(offers)("with %s, a second tab is refused while the first lives", async (_name, offer) => {
  offer();
  const first = tab({ kind: "guest" });
  await first.ledger.open(ROOM, secrets(7));
  const second = tab({ kind: "kept", id: first.ledger.id }).ledger;
  await expect(second.find()).rejects.toBe("seat-elsewhere");
  expect([second.trouble, second.id]).toEqual(["seat-elsewhere", first.ledger.id]);
  expect(await first.ledger.add("entry/0", entry(1))).toEqual(entry(1));
}, 10_000);

test("the seat can be taken from another tab, and then that adds nothing", async () => {
  for (const [name, offer] of offers) {
    globalThis.indexedDB = new IDBFactory();
    offer();
    const first = tab({ kind: "guest" });
    await first.ledger.open(ROOM, secrets(7));
    const second = tab({ kind: "kept", id: first.ledger.id }, true).ledger;
    await second.find();
    await expect(first.ledger.add("entry/0", entry(1)), name).rejects.toThrow();
    expect(await first.ledger.isMine()).toBe(false);
    expect(await second.add("entry/0", entry(2))).toEqual(entry(2));
    await vi.waitFor(() => expect(first.lost.times, name).toBe(1), { timeout: 2_000 });
  }
}, 10_000);

test("a lease whose holder died is free", async () => {
  withoutLocks();
  const first = tab({ kind: "guest" });
  await first.ledger.open(ROOM, secrets(7));
  const stored = await first.store;
  const beats = vi.spyOn(stored as Store, "beat").mockImplementation(() => new Promise(() => undefined));
  const second = tab({ kind: "kept", id: first.ledger.id }).ledger;
  await second.find();
  expect(beats).toHaveBeenCalled();
  expect(await second.add("entry/0", entry(1))).toEqual(entry(1));
}, 10_000);

test("a room that is over leaves nothing behind", async () => {
  withLocks();
  const { ledger } = tab({ kind: "guest" });
  await ledger.open(ROOM, secrets(7));
  await ledger.add("entry/0", entry(1));
  await ledger.remove();
  const db = await openDB("undertone");
  expect(await Promise.all(["seats", "said"].map((name) => db.count(name)))).toEqual([0, 0]);
  db.close();
  await expect(tab({ kind: "kept", id: ledger.id }).ledger.find()).rejects.toBe("seat-gone");
});

test("after a day a seat is gone, also if nobody asks for it, but not under who holds it", async () => {
  withLocks();
  const { ledger, store } = tab({ kind: "guest" });
  await ledger.open(ROOM, secrets(7));
  vi.useFakeTimers({ now: Date.now() + SEAT_MS_MAX + 1, toFake: ["Date"] });
  await openStore();
  expect(await (await store)?.seat(ledger.id)).toBeDefined();
  await expect(tab({ kind: "kept", id: ledger.id }).ledger.find()).rejects.toBe("seat-elsewhere");
  expect(await ledger.add("entry/0", entry(1))).toEqual(entry(1));
  withLocks();
  await openStore();
  expect(await (await store)?.seat(ledger.id)).toBeUndefined();
  await expect(ledger.add("entry/1", entry(1))).rejects.toThrow();
}, 10_000);

test("secrets lie sealed, under a key that cannot be taken out, for one seat only", async () => {
  const seal = await sealed("a", secrets(7));
  expect(Buffer.from(seal.secrets).includes(Buffer.from(secrets(7, 8)))).toBe(false);
  expect(seal.key?.extractable).toBe(false);
  expect(await opened("a", seal)).toEqual(secrets(7));
  await expect(opened("b", seal)).rejects.toThrow();
  for (const at of [0, 20, seal.secrets.length - 1]) {
    const torn = seal.secrets.slice();
    torn[at] = (torn[at] ?? 0) ^ 1;
    await expect(opened("a", { ...seal, secrets: torn })).rejects.toThrow();
  }
});

test("on plain http there is no such key, and the seat is kept all the same", async () => {
  vi.stubGlobal("crypto", { getRandomValues: crypto.getRandomValues.bind(crypto) });
  withoutLocks();
  const { ledger } = tab({ kind: "guest" });
  expect(await open(ledger, ROOM, secrets(7))).toEqual(secrets(7));
  expect(ledger.seat?.key).toBeNull();
});

test("where a browser keeps nothing, the fence holds for as long as the page lives", async () => {
  const ledger = new SeatLedger(Promise.resolve(undefined), { kind: "guest" }, { steal: false, lost: () => undefined });
  expect(await open(ledger, ROOM, secrets(7))).toEqual(secrets(7));
  expect(await ledger.add("entry/0", entry(1))).toEqual(entry(1));
  expect(await ledger.add("entry/0", entry(2))).toEqual(entry(1));
  expect([ledger.seat, await read(ledger, ROOM, secrets(9))]).toEqual([undefined, [false, secrets(7)]]);
});
