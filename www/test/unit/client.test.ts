import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { beforeEach, expect, test, vi } from "vitest";
import { Client, CoreError, type WorkerLike } from "../../src/core/client.ts";
import { RoomKeeper, type Core, type CoreRoom } from "../../src/core/keeper.ts";
import type { Notice, Question, QuestionDraft, ServiceInfo, StoredEntry } from "../../src/core/contract.ts";
import type { Reply, Request } from "../../src/core/protocol.ts";
import { openStore } from "../../src/seat/ledger.ts";

/** A browser that keeps nothing. */
const nowhere = Promise.resolve(undefined);

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
  vi.stubGlobal("navigator", {});
});

const draft = { service: "sum", question: "?" } as QuestionDraft;

class FakeRoom implements CoreRoom {
  readonly texts: string[] = [];
  readonly buffers: Uint8Array[] = [];
  readonly notices: (Notice | undefined)[] = [];
  consent: boolean | undefined;

  next(): Promise<Notice | undefined> {
    return Promise.resolve(this.notices.shift());
  }
  async check_input(text: Uint8Array): Promise<void> {
    this.buffers.push(text);
    this.texts.push(new TextDecoder().decode(text));
    if (this.texts.at(-1) === "x") throw { code: "bad-input", field: "value", message: "Type a number." };
  }
  submit(text: Uint8Array): Promise<void> {
    return this.check_input(text);
  }
  async lock(heads: number): Promise<void> {
    if (heads === 0) throw new Error("unreachable executed");
  }
  async ask(): Promise<void> {}
  stored(from: number): Promise<StoredEntry[]> {
    return Promise.resolve([{ sequence: from, kind: "masked", author: "seat 1", bytes: Uint8Array.of(1, 2) }]);
  }
  async record(withKey: boolean): Promise<Uint8Array[]> {
    return [Uint8Array.of(withKey ? 1 : 0, 2, 3)];
  }
  async take_part(smallGroup: boolean): Promise<void> {
    this.consent = smallGroup;
  }
  wake(): void {}
  leave(): void {}
  free(): void {}
}

/** A worker in this thread: messages are structured clones with real transfers. */
function connect(room: FakeRoom, signal?: AbortSignal): { client: Client; worker: WorkerLike & { ended: boolean } } {
  const core: Core = { services: () => [], check_question: () => undefined, Room: { host: async () => room, join: async () => room, resume: async () => room } };
  const worker = {
    ended: false,
    onmessage: null as WorkerLike["onmessage"],
    onerror: null as WorkerLike["onerror"],
    postMessage: (message: unknown, transfer: Transferable[]): void => {
      const request = structuredClone(message, { transfer }) as Request;
      queueMicrotask(() => void keeper.handle(request));
    },
    terminate: (): void => void (worker.ended = true),
  };
  const keeper = new RoomKeeper(async () => core, (reply, transfer) => {
    const data: unknown = structuredClone(reply, { transfer });
    queueMicrotask(() => worker.onmessage?.({ data } as MessageEvent));
  }, true, nowhere);
  return { client: new Client(worker, signal), worker };
}

async function joined(room = new FakeRoom()): Promise<{ room: FakeRoom; client: Client }> {
  const { client } = connect(room);
  await client.join("ws://relay/ws", "u1");
  return { room, client };
}

const elsewhere = { code: "other-module", field: "groups", message: "" };

/** A keeper whose first module refuses, and what it loaded. */
function twoModules(first: Partial<Core["Room"]>, room = new FakeRoom()): { keeper: RoomKeeper; loaded: string[]; replies: Reply[] } {
  const [loaded, replies]: [string[], Reply[]] = [[], []];
  const full: Core["Room"] = { host: async () => room, join: async () => room, resume: async () => room };
  const core = (own: Core["Room"]): Core => ({ services: () => [], check_question: () => undefined, Room: own });
  const load = async (module: string): Promise<Core> => {
    loaded.push(module);
    return core(module === "groups" ? full : { ...full, ...first });
  };
  return { keeper: new RoomKeeper(load, (reply) => replies.push(reply), true, nowhere), loaded, replies };
}

test("a room of another module is opened with that module", async () => {
  const host = (): Promise<never> => Promise.reject(elsewhere);
  const { keeper, loaded, replies } = twoModules({ host });
  await keeper.handle({ id: 1, call: "host", args: ["ws://relay/ws", {} as never, true, 3] });
  expect(loaded).toEqual(["sums", "groups"]);
  expect(replies).toContainEqual({ id: 1, value: { id: "", role: "host", contribute: true, addsUp: "", tookPart: false } });
});

test("a typed code does not name a module: the question's refusal does, and nobody sees it", async () => {
  const refused = new FakeRoom();
  refused.notices.push({ kind: "fault", ...elsewhere, phase: "join", seats: [], sentAnything: false, roomGoesOn: false });
  const room = new FakeRoom();
  room.notices.push({ kind: "joined" }, undefined);
  const { keeper, loaded, replies } = twoModules({ join: async () => refused }, room);
  await keeper.handle({ id: 1, call: "join", args: ["ws://relay/ws", "four plain words here"] });
  await vi.waitFor(() => expect(replies.at(-1)).toEqual({ notice: { kind: "closed", kept: false } }));
  expect(loaded).toEqual(["sums", "groups"]);
  expect(replies.flatMap((reply) => ("notice" in reply ? [reply.notice.kind] : []))).toEqual(["joined", "closed"]);
});

test("a later question of another module is a fault that is shown, not another room", async () => {
  const room = new FakeRoom();
  const fault = { kind: "fault", ...elsewhere, phase: "plan", seats: [], sentAnything: false, roomGoesOn: false } as Notice;
  room.notices.push({ kind: "question", question: {} as Question, groupMin: 5, smallGroup: false }, fault, undefined);
  const { keeper, loaded, replies } = twoModules({ join: async () => room });
  await keeper.handle({ id: 1, call: "join", args: ["ws://relay/ws", "link"] });
  await vi.waitFor(() => expect(replies.at(-1)).toEqual({ notice: { kind: "closed", kept: false } }));
  expect(replies).toContainEqual({ notice: fault });
  expect(loaded).toEqual(["sums"]);
});

test.each([
  ["sums", ["sum"]],
  ["groups", ["sum", "kdk"]],
  ["pairing", ["kdk-pairing"]],
])("a room of the module %s is offered what that module can do, and stays with it", async (module, names) => {
  const services = [["sum", "sums"], ["kdk", "groups"], ["kdk-pairing", "pairing"]].map(([name, module]) => ({ name, module }) as ServiceInfo);
  const loaded: string[] = [];
  const load = async (which: string): Promise<Core> => {
    loaded.push(which);
    const refuse = (): void => {
      if (which !== module) throw { ...elsewhere, field: module };
    };
    const host = async (): Promise<FakeRoom> => (refuse(), new FakeRoom());
    return { services: () => services, check_question: () => { throw elsewhere; }, Room: { host, join: host, resume: host } };
  };
  const replies: Reply[] = [];
  const keeper = new RoomKeeper(load, (reply) => replies.push(reply), true, nowhere);
  await keeper.handle({ id: 1, call: "services", args: [] });
  expect(replies[0]).toEqual({ id: 1, value: services });
  await keeper.handle({ id: 2, call: "host", args: ["ws://relay/ws", draft, true, 3] });
  const before = [...loaded];
  await keeper.handle({ id: 3, call: "services", args: [] });
  expect(replies.at(-1)).toEqual({ id: 3, value: services.filter(({ name }) => names.includes(name)) });
  await keeper.handle({ id: 4, call: "checkQuestion", args: [draft] });
  expect(replies.at(-1)).toMatchObject({ id: 4, error: { code: "other-module" } });
  expect(loaded).toEqual(before);
});

/** A core that takes the seat it is given, and a room that says what the test wants it to say. */
async function seated(...notices: Notice[]): Promise<{ replies: Reply[]; seats: () => Promise<number> }> {
  const [room, store, replies] = [new FakeRoom(), openStore(), [] as Reply[]];
  room.notices.push(...notices, undefined);
  const join: Core["Room"]["join"] = async (_relay, _invite, _secure, ledger) => {
    await ledger.open(Uint8Array.of(1), new Uint8Array(32).fill(7));
    return room;
  };
  const core = { services: () => [], check_question: () => undefined, Room: { host: join as never, join, resume: join as never } };
  const keeper = new RoomKeeper(async () => core, (reply) => replies.push(reply), true, store);
  await keeper.handle({ id: 1, call: "join", args: ["ws://relay/ws", "link"] });
  return { replies, seats: async () => ((await (await store)?.seats()) ?? []).length };
}

const fault = (code: string): Notice =>
  ({ kind: "fault", code, phase: "round", seats: [], message: "", sentAnything: false, roomGoesOn: false });

test("a room that is over is deleted; one that the network ended is kept", async () => {
  for (const [kept, ...notices] of [[0], [0, fault("key-spent")], [0, fault("link-lost"), { kind: "joined" }], [1, fault("link-lost")]] as [number, ...Notice[]][]) {
    globalThis.indexedDB = new IDBFactory();
    const { replies, seats } = await seated(...notices);
    await vi.waitFor(() => expect(replies.at(-1)).toEqual({ notice: { kind: "closed", kept: kept === 1 } }));
    expect(await seats()).toBe(kept);
  }
});

test("a room that was not opened leaves no seat behind", async () => {
  const [store, replies] = [openStore(), [] as Reply[]];
  const host: Core["Room"]["host"] = async (_relay, _draft, _contribute, _groupMin, _secure, ledger) => {
    await ledger.open(new Uint8Array(), new Uint8Array(32).fill(7));
    throw { code: "group-too-small", field: "group_min", message: "" };
  };
  const core = { services: () => [], check_question: () => undefined, Room: { host, join: host as never, resume: host as never } };
  const keeper = new RoomKeeper(async () => core, (reply) => replies.push(reply), true, store);
  await keeper.handle({ id: 1, call: "host", args: ["ws://relay/ws", draft, true, 3] });
  expect(replies).toMatchObject([{ id: 1, error: { code: "group-too-small" } }]);
  expect(await (await store)?.seats()).toEqual([]);
});

test("a seat whose records the core refuses is gone, and who comes again is a new one", async () => {
  const [store, room, replies] = [openStore(), new FakeRoom(), [] as Reply[]];
  room.next = () => new Promise(() => undefined);
  const opens: Core["Room"]["join"] = async (_relay, _invite, _secure, ledger) => {
    const { length } = await ledger.open(Uint8Array.of(1), new Uint8Array(32).fill(7));
    await ledger.add("entry/0", Uint8Array.of(9));
    if (length > 1 + 4 + 32) throw { code: "store-failed", field: null, message: "" };
    return room;
  };
  const core = { services: () => [], check_question: () => undefined, Room: { host: opens as never, join: opens, resume: opens as never } };
  const come = async (): Promise<unknown> => {
    const keeper = new RoomKeeper(async () => core, (reply) => replies.push(reply), true, store);
    await keeper.handle({ id: 1, call: "join", args: ["ws://relay/ws", "link"] });
    return replies.filter((reply) => "id" in reply).at(-1);
  };
  expect(await come()).toMatchObject({ value: { tookPart: false } });
  const [first] = (await (await store)?.seats()) ?? [];
  await (await store)?.claim(first?.id ?? "", "nobody");
  await (await store)?.beat(first?.id ?? "", "nobody", 0);
  expect(await come()).toMatchObject({ error: { code: "seat-gone" } });
  expect(await (await store)?.seats()).toEqual([]);
  expect(await come()).toMatchObject({ value: { tookPart: false } });
});

test("a seat that is not kept is refused by name, and nothing is started", async () => {
  const { keeper, loaded, replies } = twoModules({});
  await keeper.handle({ id: 1, call: "resume", args: ["ws://relay/ws", "0123456789abcdef", false] });
  expect(replies).toMatchObject([{ id: 1, error: { code: "seat-gone" } }]);
  expect(loaded).toEqual(["sums"]);
});

test("typed text crosses as bytes and is wiped at the worker's door", async () => {
  const { room, client } = await joined();
  await client.submit("12.50");
  expect(room.texts).toEqual(["12.50"]);
  expect([...(room.buffers[0] ?? [])]).toEqual([0, 0, 0, 0, 0]);
});

test("a refusal keeps code, field and sentence, and wipes the text too", async () => {
  const { room, client } = await joined();
  const refusal = await client.checkInput("x").catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(CoreError);
  expect(refusal).toMatchObject({ code: "bad-input", field: "value", message: "Type a number." });
  expect([...(room.buffers[0] ?? [])]).toEqual([0]);
});

test("a trap becomes `core-stopped` without its text", async () => {
  const { client } = await joined();
  await expect(client.lock(0)).rejects.toMatchObject({ code: "core-stopped", message: "" });
});

test("notices come once, in order, and end with the room", async () => {
  const room = new FakeRoom();
  room.notices.push({ kind: "link", up: true }, { kind: "joined" }, undefined);
  const { client } = await joined(room);
  const kinds: string[] = [];
  for await (const notice of client.notices()) kinds.push(notice.kind);
  expect(kinds).toEqual(["link", "joined", "closed"]);
});

test("looking into a room is not yet taking part", async () => {
  const { room, client } = await joined();
  expect(room.consent).toBeUndefined();
  await client.takePart({ smallGroup: true });
  expect(room.consent).toBe(true);
});

test("stored entries arrive with their bytes", async () => {
  const { client } = await joined();
  const entries = await client.stored(7);
  expect(entries).toEqual([{ sequence: 7, kind: "masked", author: "seat 1", bytes: Uint8Array.of(1, 2) }]);
});

test("a record arrives as bytes, with the key only where it was asked for", async () => {
  const { client } = await joined();
  expect(await client.record(false)).toEqual(Uint8Array.of(0, 2, 3));
  expect(await client.record(true)).toEqual(Uint8Array.of(1, 2, 3));
});

test("one worker owns one room", async () => {
  const { client } = await joined();
  await expect(client.host("ws://relay/ws", draft, { contribute: true, groupMin: 5 })).rejects.toMatchObject({ code: "room-open" });
});

test("before there is a room, calls are refused and waking does nothing", async () => {
  const { client } = connect(new FakeRoom());
  await expect(client.submit("1")).rejects.toMatchObject({ code: "no-room" });
  await expect(client.wake()).resolves.toBeUndefined();
});

test("abort ends the worker, its calls and its notices", async () => {
  const controller = new AbortController();
  const { client, worker } = connect(new FakeRoom(), controller.signal);
  const call = client.checkQuestion(draft);
  controller.abort();
  await expect(call).rejects.toMatchObject({ code: "ended" });
  await expect(client.services()).rejects.toMatchObject({ code: "ended" });
  expect((await client.notices().next()).done).toBe(true);
  expect(worker.ended).toBe(true);
});

test("a worker that dies is a fault that the page can show", async () => {
  const { client, worker } = connect(new FakeRoom());
  worker.onerror?.({} as ErrorEvent);
  const { value } = await client.notices().next();
  expect(value).toMatchObject({ kind: "fault", code: "core-stopped" });
});
