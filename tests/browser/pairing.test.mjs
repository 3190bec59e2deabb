/**
 * A sum behind a pairing: a terminal asks, and browsers take part, one by link and one by code. Each loads
 * the module that can do it. The record is checked on the command line, and the page says that it cannot.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { host } from "./lib/native.mjs";
import { launch, person } from "./lib/people.mjs";
import { UNDERTONE } from "./lib/places.mjs";
import { folder, startRelay } from "./lib/relay.mjs";

const PARAMS = { unit: "kWh", min: "-1", max: "50", decimals: "2" };
const ARGS = ["--question", "How much?", "--group-min", "3", "--people", "3", "--input", "12.25"];

test("a sum behind a pairing is exact in browsers and on the command line", { timeout: 120_000 }, async (t) => {
  const [relay, browser] = await Promise.all([startRelay(t), launch(t)]);
  const tabs = await Promise.all(["ada", "ben"].map((name) => person(browser, name)));
  const loaded = tabs.map(({ page }) => page.waitForResponse(/\/pairing_bg-[^/]*\.wasm$/));
  const [ada, ben] = tabs;
  const record = join(folder(t), "pairing.record");
  const program = host(t, relay.url, "kdk-pairing", PARAMS, [...ARGS, "--record", record]);
  const { invite, code } = await program.notice("opened");
  await ada.open(invite);
  await ada.takePart({ smallGroup: true });
  await ben.comeByCode(relay.url, code, { smallGroup: true });
  await Promise.all(loaded);
  await ada.answer("-1");
  await ben.answer("50");
  for (const who of tabs) assert.deepEqual((await who.result(3)).figures, { sum: "61.25 kWh" });
  assert.equal((await program.result()).figures[0].value, "61.25");
  assert.equal(await program.child.exit(), 0, program.child.said());
  const { questions } = JSON.parse(execFileSync(UNDERTONE, ["verify", record, "--json"]));
  assert.equal(questions[0].figures[0].value, "61.25");
  await ada.open(relay.url);
  await ada.page.getByRole("link", { name: "Check a record" }).click();
  await ada.page.getByLabel("Record", { exact: true }).setInputFiles(record);
  await ada.heading("This page cannot check this record").waitFor();
  assert.deepEqual(tabs.flatMap(({ errors }) => errors), []);
});
