/**
 * What a room said, as a file: saved from the page, checked on the page and on the command line, and
 * refused in words once a byte of it is another.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join as path } from "node:path";
import { test } from "node:test";
import { host as hostOf, join } from "./lib/native.mjs";
import { launch, person } from "./lib/people.mjs";
import { UNDERTONE } from "./lib/places.mjs";
import { folder, startRelay } from "./lib/relay.mjs";

const SEATS = 5;

test("a saved record is checked, with its key and without, and a changed one is refused", { timeout: 90_000 }, async (t) => {
  const [relay, browser] = await Promise.all([startRelay(t), launch(t)]);
  const [host, ada] = [await person(browser, "host"), await person(browser, "ada")];
  const { link, code } = await host.openRoom(relay.url, { service: "Average", text: "How much?", unit: "EUR", max: "300", contribute: true });
  [10, 20, 30].forEach((value) => join(t, link, ["--input", String(value)]));
  await ada.comeByLink(link);
  await host.lock(SEATS);
  await ada.answer("50");
  await host.answer("40");
  assert.deepEqual((await host.result(SEATS)).figures, { mean: "30 EUR", sum: "150 EUR", count: "5" });
  await ada.result(SEATS);

  const here = folder(t);
  const withKey = await save(host, "Save with the key", path(here, "with.record"));
  const without = await save(ada, "Save without the key", path(here, "without.record"));

  await ada.open(relay.url);
  await ada.page.getByRole("link", { name: "Check a record" }).click();
  await ada.heading("Check a record").waitFor();
  await relay.stop();

  await t.test("with the key: the result again, and who took part, without a relay", async () => {
    await check(ada, withKey);
    await ada.heading("This record holds").waitFor();
    const region = ada.region("Question 1: Average How much?");
    const figures = await region.locator("[data-figure]").evaluateAll((all) => all.map((it) => it.innerText.trim()));
    assert.deepEqual(figures.map((text) => text.replace(/\s+/g, " ")), ["30 EUR", "150 EUR", "5"]);
    await region.getByText("5 of 5 seats signed exactly this result").waitFor();
    await region.getByText("5 of 5 masked numbers are in the record").waitFor();
    const seats = ada.region("Seats");
    assert.equal(await seats.locator("tbody tr").count(), SEATS);
    await seats.getByText(code).waitFor();
    assert.equal(await ada.page.locator("[data-unchecked]").count(), 4);
  });

  await t.test("without it: everything but the result, and it says so", async () => {
    await check(ada, without);
    await ada.text("The record holds no key, so its result cannot be read.").waitFor();
    assert.equal(await ada.page.locator("[data-figure]").count(), 0);
    await ada.page.locator("[data-unchecked=figures]").waitFor();
  });

  await t.test("a changed file is refused in words", async () => {
    const bytes = readFileSync(withKey);
    bytes[bytes.length - 1] ^= 1;
    const changed = path(here, "changed.record");
    writeFileSync(changed, bytes);
    await check(ada, changed);
    await ada.heading("This record does not hold").waitFor();
    await ada.text("A message was not signed by who it says.").waitFor();
  });

  await t.test("the command line says the same", () => {
    const { questions, withKey: keyed } = JSON.parse(execFileSync(UNDERTONE, ["verify", withKey, "--json"]));
    assert.deepEqual([keyed, questions[0].figures.map(({ value }) => value)], [true, ["150", "5", "30"]]);
  });

  await t.test("no page reported an error", () => assert.deepEqual([...host.errors, ...ada.errors], []));
});

test("a room that its host closed can still be saved", { timeout: 60_000 }, async (t) => {
  const [relay, browser] = await Promise.all([startRelay(t), launch(t)]);
  const seats = ["--people", "3", "--group-min", "3", "--input", "1"];
  const { invite } = await hostOf(t, relay.url, "sum", {}, seats).notice("opened");
  join(t, invite, ["--small-group", "--input", "2"]);
  const ada = await person(browser, "ada");
  await ada.open(invite);
  await ada.takePart({ smallGroup: true });
  await ada.answer("39");
  assert.deepEqual((await ada.result(3)).figures, { sum: "42" });
  await ada.text("This room has ended.").waitFor();
  const file = await save(ada, "Save with the key", path(folder(t), "closed.record"));
  const { questions } = JSON.parse(execFileSync(UNDERTONE, ["verify", file, "--json"]));
  assert.equal(questions[0].figures[0].value, "42");
});

/** Saves a record from the result and gives back where it is. */
async function save(who, button, file) {
  await who.page.getByText("Save record", { exact: true }).click();
  const [download] = await Promise.all([who.page.waitForEvent("download"), who.button(button).click()]);
  assert.match(download.suggestedFilename(), /^undertone-\d{4}-\d\d-\d\d\.record$/);
  await download.saveAs(file);
  await who.text("Saved as").waitFor();
  return file;
}

const check = (who, file) => who.page.getByLabel("Record", { exact: true }).setInputFiles(file);
