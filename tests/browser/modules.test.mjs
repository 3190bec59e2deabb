/**
 * The wasm module is more than a part of a page: it loads where there is no document, and masks.
 */
import assert from "node:assert/strict";
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Miniflare } from "miniflare";
import { SUMS, needs } from "./lib/places.mjs";
import { folder } from "./lib/relay.mjs";

const VALUES = ["12.5", "3", "1"];
const SUM = "16.50";
const wasm = () => readFileSync(needs(join(SUMS, "sums_bg.wasm"), "cargo xtask build"));

test("node loads the module and masks values", { timeout: 30_000 }, async (t) => {
  assert.equal(typeof globalThis.document, "undefined");
  // Under a name that says what it is: this repository's packages are of two kinds.
  const module = join(folder(t), "sums.mjs");
  copyFileSync(join(SUMS, "sums.js"), module);
  const { default: init, demonstrate, services } = await import(module);
  await init({ module_or_path: wasm() });
  checkServices(services());
  const first = demonstrate(VALUES);
  checkMasked(first.sum, first.masked.map((bytes) => Buffer.from(bytes)));
  // Fresh keys each time: the same values never look the same.
  assert.notDeepEqual(demonstrate(VALUES).masked, first.masked);
  assert.throws(() => demonstrate(["twelve"]), (error) => error.code === "bad-input" && /not a number/.test(error.message));
});

test("workerd loads the module and masks values", { timeout: 60_000 }, async (t) => {
  const miniflare = new Miniflare({
    modules: [
      { type: "ESModule", path: "worker.mjs", contents: WORKER },
      { type: "ESModule", path: "sums.js", contents: readFileSync(join(SUMS, "sums.js"), "utf8") },
      { type: "CompiledWasm", path: "sums_bg.wasm", contents: wasm() },
    ],
    compatibilityDate: "2026-01-01",
    host: "127.0.0.1",
    cf: false,
  });
  t.after(() => miniflare.dispose());
  const response = await miniflare.dispatchFetch("http://localhost/");
  const { document, sum, masked, services } = await response.json();
  assert.equal(document, "undefined");
  checkServices(services);
  checkMasked(sum, masked.map((bytes) => Buffer.from(bytes)));
});

const WORKER = `
import { initSync, demonstrate, services } from "./sums.js";
import module from "./sums_bg.wasm";
export default {
  fetch() {
    initSync({ module });
    const { sum, masked } = demonstrate(${JSON.stringify(VALUES)});
    const bytes = masked.map((one) => Array.from(one));
    return Response.json({ document: typeof document, sum, masked: bytes, services: services() });
  },
};`;

function checkServices(services) {
  const offered = services.filter(({ audience }) => audience === "people").map(({ name }) => name);
  assert.ok(offered.includes("sum") && offered.includes("mean"), offered.join());
  const elsewhere = { kdk: "groups", pcl: "groups", "kdk-pairing": "pairing", shares: "shares" };
  for (const { name, title, summary, module } of services) assert.ok(title && summary && (elsewhere[name] ?? "sums") === module, name);
}

function checkMasked(sum, masked) {
  assert.equal(sum, SUM);
  assert.deepEqual(masked.map(({ length }) => length), VALUES.map(() => 8));
  const plain = VALUES.map((value) => BigInt(Math.round(Number(value) * 100)));
  const words = masked.map((bytes) => bytes.readBigUInt64LE());
  words.forEach((word, index) => assert.notEqual(word, plain[index]));
  const all = (numbers) => BigInt.asUintN(64, numbers.reduce((one, other) => one + other, 0n));
  assert.equal(all(words), all(plain));
}
