import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { beforeEach, expect, test } from "vitest";
import { buildHash, fillIn, precacheList } from "../../build/release.mjs";

const template = readFileSync(join(import.meta.dirname, "../../src/sw/sw.js"), "utf8");
const FILES = ["/", "/assets/app.js"];

interface FakeEvent {
  data?: unknown;
  request?: unknown;
  done?: Promise<unknown>;
  answer?: Promise<unknown>;
}

class FakeRequest {
  readonly method = "GET";
  readonly url: string;
  readonly mode: string;
  constructor(path: string, options: { mode?: string; cache?: string } = {}) {
    this.url = new URL(path, "https://example.org").href;
    this.mode = options.mode ?? "cors";
  }
}

let stores: Map<string, Map<string, string>>;
let tabs: number;
let skipped: boolean;
let fire: (type: string, event: FakeEvent) => FakeEvent;

beforeEach(() => {
  stores = new Map([["undertone-old", new Map()], ["of-another-app", new Map()]]);
  tabs = 1;
  skipped = false;
  fire = start();
});

function start(): typeof fire {
  const listeners = new Map<string, (event: object) => void>();
  const self = {
    location: new URL("https://example.org/sw.js"),
    addEventListener: (type: string, listener: (event: object) => void) => listeners.set(type, listener),
    skipWaiting: () => Promise.resolve(void (skipped = true)),
    clients: { matchAll: () => Promise.resolve(Array.from({ length: tabs })) },
  };
  const open = (name: string): object => {
    const store = stores.get(name) ?? new Map<string, string>();
    stores.set(name, store);
    return {
      addAll: async (requests: FakeRequest[]) => requests.forEach(({ url }) => store.set(new URL(url).pathname, "cached")),
      match: async (path: string) => store.get(path),
    };
  };
  const caches = {
    open: async (name: string) => open(name),
    keys: async () => [...stores.keys()],
    delete: async (name: string) => stores.delete(name),
  };
  const fetch = async (): Promise<string> => "network";
  runInNewContext(fillIn(template, "abc123", FILES), { self, caches, fetch, Request: FakeRequest, URL });
  return (type, event) => {
    const waiter = {
      ...event,
      waitUntil: (done: Promise<unknown>) => void (event.done = done),
      respondWith: (answer: Promise<unknown>) => void (event.answer = answer),
    };
    listeners.get(type)?.(waiter);
    return event;
  };
}

const ask = (path: string, mode?: string): FakeEvent => fire("fetch", { request: new FakeRequest(path, mode ? { mode } : {}) });

test("installing keeps exactly the listed files, and waits", async () => {
  await fire("install", {}).done;
  expect([...(stores.get("undertone-abc123")?.keys() ?? [])]).toEqual(FILES);
  expect(skipped).toBe(false);
});

test("activating drops older versions and nothing of others", async () => {
  await fire("install", {}).done;
  await fire("activate", {}).done;
  expect([...stores.keys()].sort()).toEqual(["of-another-app", "undertone-abc123"]);
});

test("it takes over only if asked by the only tab", async () => {
  tabs = 2;
  await fire("message", { data: "take-over" }).done;
  expect(skipped).toBe(false);
  tabs = 1;
  await fire("message", { data: "something else" }).done;
  expect(skipped).toBe(false);
  await fire("message", { data: "take-over" }).done;
  expect(skipped).toBe(true);
});

test("listed files and the page come from the cache, all else from the network", async () => {
  await fire("install", {}).done;
  expect(await ask("/assets/app.js").answer).toBe("cached");
  expect(await ask("/", "navigate").answer).toBe("cached");
  expect(ask("/ws").answer).toBeUndefined();
  expect(ask("/metrics", "navigate").answer).toBeUndefined();
  expect(ask("https://elsewhere.example/assets/app.js").answer).toBeUndefined();
});

test("an evicted file is fetched again", async () => {
  expect(await ask("/assets/app.js").answer).toBe("network");
});

test("the build hash is a function of names and contents, in any order", () => {
  const files: [string, string][] = [["a", "1"], ["b", "2"]];
  expect(buildHash(files)).toMatch(/^[0-9a-f]{12}$/);
  expect(buildHash([...files].reverse())).toBe(buildHash(files));
  expect(buildHash([["a", "2"], ["b", "1"]])).not.toBe(buildHash(files));
});

test("the list names the page as `/` and leaves out the relay's manifest", () => {
  expect(precacheList([["index.html", ""], ["assets/x.js", ""], [".vite/manifest.json", ""]])).toEqual(["/", "/assets/x.js"]);
});

test("what only measures is not kept offline for everyone", () => {
  const files = ["assets/bench_bg-Ba3k.wasm", "assets/bench-Ba3k.js", "assets/sums_bg-Ba3k.wasm"];
  expect(precacheList(files.map((name) => [name, ""]))).toEqual(["/assets/bench-Ba3k.js", "/assets/sums_bg-Ba3k.wasm"]);
});
