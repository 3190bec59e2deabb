/**
 * The same journey where a school has nothing better: plain http under a name of the local network.
 * Browsers withhold there what they grant on localhost: secure contexts, service workers, clipboard.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { decimal, mean, total } from "./lib/exact.mjs";
import { figures, host as hostNative, join } from "./lib/native.mjs";
import { audit, shoot } from "./lib/look.mjs";
import { launch, person } from "./lib/people.mjs";
import { Random, tellSeed } from "./lib/random.mjs";
import { startRelay } from "./lib/relay.mjs";
import { haystack, haystacksOf, numberSecret, scan } from "./lib/scan.mjs";

const NAME = "teacher.lan";
const SEATS = 5;
const DECIMALS = 4;
const MAX = "99999999.9999";
const FIRST = "How far is your way to school?";
const SECOND = "And how far is it to the sea?";
const QUESTION = { text: FIRST, unit: "km", min: "0", max: MAX, decimals: String(DECIMALS), contribute: true };
const UNVERIFIED = "Unverified: you trust the relay not to cheat.";
const show = (units) => decimal(units, DECIMALS);

test("three tabs on plain http and two programs, one person by typed words", { timeout: 120_000 }, async (t) => {
  tellSeed(t);
  const random = new Random("insecure");
  const numbers = [0, 1].map(() => Array.from({ length: SEATS }, () => random.units(12)));
  const [relay, browser] = await Promise.all([startRelay(t), launch(t, [NAME])]);
  const origin = `http://${NAME}:${relay.port}`;
  const people = await Promise.all(["teacher", "ada", "ben"].map((name) => person(browser, name)));
  const [teacher, ada, ben] = people;
  const { link, code } = await teacher.openRoom(origin, { ...QUESTION, service: "Average" });
  assert.ok(link.startsWith(`${origin}/#`));
  // The programs reach the relay by its address; the room is the same.
  const local = link.replace(origin, relay.url);
  const natives = [3, 4].map((seat) => join(t, local, numbers.flatMap((all) => ["--input", show(all[seat])])));
  await Promise.all([ada.comeByLink(link), ben.comeByCode(origin, code)]);
  await isInsecure(t, people);
  const problems = await look(ada, "insecure-join");

  await teacher.lock(SEATS);
  await Promise.all(people.map((it, seat) => it.answer(show(numbers[0][seat]))));
  const sum = total(numbers[0]);
  const first = { sum: show(sum), count: String(SEATS), mean: mean(sum, BigInt(SEATS), DECIMALS) };
  await t.test("the average is exact for all five, and claims no more than it can", () => check(people, natives, 0, FIRST, first));
  problems.push(...(await look(teacher, "insecure-room")));
  const masked = await Promise.all(people.map((it) => it.masked()));

  await teacher.askAgain({ service: "Sum", text: SECOND });
  await Promise.all(people.map(async (it, seat) => {
    await it.heading(SECOND).waitFor();
    await it.answer(show(numbers[1][seat]));
  }));
  await t.test("asked again, the sum is exact", () => check(people, natives, 1, SECOND, { sum: show(total(numbers[1])) }));
  masked.push(...(await Promise.all(people.map((it) => it.masked()))), ...natives.flatMap((native) => native.masked()));

  await t.test("nothing leaked and nothing failed", () => {
    const haystacks = [
      ...haystacksOf(relay.frames()),
      ...masked.map((bytes, index) => haystack(`masked bytes ${index}`, bytes)),
      ...people.map(({ name, console, urls }) => haystack(`page of ${name}`, [...console, ...urls].join("\n"))),
    ];
    assert.equal(masked.length, 2 * SEATS);
    const secrets = numbers.flat().map((units, index) => numberSecret(`input ${index}`, units, DECIMALS));
    assert.deepEqual(scan(haystacks, secrets), []);
    assert.deepEqual([...problems, ...people.flatMap(({ errors }) => errors)], []);
  });
});

test("a tab on plain http claims no better tier even if everyone came by link", { timeout: 60_000 }, async (t) => {
  tellSeed(t);
  const random = new Random("insecure tier");
  const numbers = Array.from({ length: SEATS }, () => random.units(12));
  const [relay, browser] = await Promise.all([startRelay(t), launch(t, [NAME])]);
  const origin = `http://${NAME}:${relay.port}`;
  const params = { unit: "km", min: "0", max: MAX, decimals: DECIMALS };
  const opener = hostNative(t, relay.url, "mean", params, ["--question", FIRST, "--people", String(SEATS), "--input", show(numbers[0])]);
  const { invite } = await opener.notice("opened");
  numbers.slice(2).forEach((units) => join(t, invite, ["--input", show(units)]));
  const ada = await person(browser, "ada");
  await ada.comeByLink(invite.replace(relay.url, origin));
  await ada.answer(show(numbers[1]));
  const result = await ada.result(SEATS);
  assert.equal(result.figures.sum, `${show(total(numbers))} km`);
  assert.equal(result.tier, UNVERIFIED);
  assert.equal((await opener.result()).tier, "host-verified");
});

async function isInsecure(t, people) {
  await t.test("the pages have no secure context and no service worker", async () => {
    for (const { name, page } of people) {
      const found = await page.evaluate(() => [isSecureContext, "serviceWorker" in navigator, crossOriginIsolated]);
      assert.deepEqual(found, [false, false, false], name);
      await page.getByText("This page came over plain http").waitFor();
    }
  });
}

async function look(who, name) {
  const problems = await audit(who.page, name);
  await shoot(who.page, name);
  return problems;
}

/** Someone came by typed words, so nobody may claim that the list is verified. */
async function check(people, natives, index, question, expected) {
  for (const it of people) {
    const result = await it.result(SEATS, question);
    const values = Object.fromEntries(Object.entries(result.figures).map(([name, text]) => [name, text.replace(/ km$/, "")]));
    assert.deepEqual(values, expected, it.name);
    assert.equal(result.tier, UNVERIFIED, it.name);
    assert.ok(result.mine, it.name);
  }
  for (const native of natives) {
    const result = await native.result(index);
    assert.deepEqual(figures(result), expected);
    assert.equal(result.tier, "unverified");
  }
}
