/** The bench contract: one JSON object per row, native and wasm, with a ratio where there is a baseline. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { ROOT, UNDERTONE } from "./lib/places.mjs";

test("a bench prints its rows for both targets", { timeout: 120_000 }, () => {
  const out = execFileSync(UNDERTONE, ["bench", "kdk-message", "--json"], { cwd: ROOT, encoding: "utf8" });
  const rows = out.trim().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual([...new Set(rows.map(({ target }) => target))], ["native", "wasm"]);
  const named = (wanted) => rows.filter(({ target }) => target === wanted).map(({ name, n }) => `${name} ${n}`);
  assert.deepEqual(named("native"), named("wasm"));
  for (const { bench, unit, value, median, n } of rows) {
    assert.deepEqual([bench, unit, typeof n], ["kdk-message", "ms", "string"]);
    assert.ok(value > 0 && median >= value);
  }
});
