/**
 * A browser's seat survives a reload: in every state of a room the page comes back as the same seat, says
 * the same bytes again or nothing, and the result arrives. Nothing secret is in an address, in the names of
 * what is kept, or on the screen.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { decimal, mean, total } from "./lib/exact.mjs";
import { Gate } from "./lib/gate.mjs";
import { figures, join } from "./lib/native.mjs";
import { launch, person } from "./lib/people.mjs";
import { Random, tellSeed } from "./lib/random.mjs";
import { startRelay } from "./lib/relay.mjs";
import { bytesSecret, haystack, haystacksOf, numberSecret, scan, textSecret } from "./lib/scan.mjs";
import { ofKind, storedEntries } from "./lib/tap.mjs";

const SEATS = 5;
const DECIMALS = 4;
const MAX = "99999999.9999";
const FIRST = "How much did you spend?";
const SECOND = "And how much did you save?";
const show = (units) => decimal(units, DECIMALS);

test("a tab that is reloaded in any state has its seat, says the same again and gets the result", { timeout: 120_000 }, async (t) => {
  tellSeed(t);
  const random = new Random("reload");
  const numbers = [0, 1].map(() => Array.from({ length: SEATS }, () => random.units(12)));
  const [relay, browser] = await Promise.all([startRelay(t), launch(t)]);
  const gate = await Gate.open(t, relay.port);
  const people = await Promise.all(["host", "ada", "ben"].map((name) => person(browser, name)));
  const { link, slow } = await inTheLobby(t, { relay, gate, people, numbers });
  await beforeValues(t, { gate, people });
  const receipts = await whileValuesTravel(t, people, numbers);
  await afterTheResult(t, { people, slow, numbers });
  await t.test("every seat said each of its entries once, and no seat counts twice", () => saidOnce(relay));
  await t.test("nothing secret is in an address, in a name, or kept as it is", () => nothingShows({ relay, people, link, numbers }));
  await overAndDeleted(t, people);
  assert.equal(receipts.length, people.length);
  assert.deepEqual(people.flatMap(({ errors }) => errors), []);
});

/** All come, and everyone reloads at every step. */
async function inTheLobby(t, { relay, gate, people: [host, ada, ben], numbers }) {
  const question = { service: "Average", text: FIRST, unit: "EUR", min: "0", max: MAX, decimals: String(DECIMALS), contribute: true };
  const { link, code } = await host.openRoom(relay.url, question);
  await host.reload();
  await host.region("Invite").waitFor();
  assert.equal(await host.field("Invite link").inputValue(), link, "the same room");
  await ada.open(link);
  await ada.button("Take part").waitFor();
  await ada.reload();
  await ada.takePart();
  await ben.comeByCode(relay.url, code);
  // A value that has not left is kept nowhere: whoever reloads types it again.
  await ben.answer(show(numbers[0][2]));
  await ben.text("Your number is still here.").waitFor();
  const inputs = (seat) => numbers.flatMap((all) => ["--input", show(all[seat])]);
  join(t, link, inputs(3));
  gate.holdAfter("join");
  const slow = join(t, link.replace(relay.url, gate.url), inputs(4));
  await host.waitForPeople(SEATS);
  for (const who of [host, ada, ben]) await who.reload();
  for (const who of [ada, ben]) await who.page.locator("[data-reloaded]").waitFor();
  await host.waitForPeople(SEATS);
  return { link, slow };
}

/** One program is slow, so that the others wait: for its key, and then for its signature. */
async function beforeValues(t, { gate, people }) {
  const [host] = people;
  await host.lock(SEATS);
  for (const [acknowledged, next] of [[0, "reveal"], [4, undefined]]) {
    const words = `${acknowledged} of ${SEATS} devices agree`;
    await t.test(`reloaded while ${words}`, async () => {
      for (const who of people) await who.text(words).waitFor();
      await Promise.all(people.map((who) => who.reload()));
      for (const who of people) await who.text(words).waitFor();
    });
    gate.release(next);
  }
  for (const who of people) await who.text(`2 of ${SEATS} have sent`).first().waitFor();
  await Promise.all(people.map((who) => who.reload()));
}

/** Ada sends, and reloads; then the others do. What she sees of what she sent stays the same. */
async function whileValuesTravel(t, people, numbers) {
  const seen = async (who) => [await who.page.locator("[data-receipt]").innerText(), (await who.masked()).toString("hex")];
  const receipts = [];
  for (const [index, who] of [[1, people[1]], [0, people[0]]]) {
    await who.answer(show(numbers[0][index]));
    const before = await seen(who);
    assert.notEqual(before[1], "");
    await who.reload();
    assert.deepEqual(await seen(who), before, who.name);
    receipts.push(before);
  }
  await people[2].answer(show(numbers[0][2]));
  receipts.push(await seen(people[2]));
  return receipts;
}

async function afterTheResult(t, { people, slow, numbers }) {
  const sum = total(numbers[0]);
  const first = { sum: show(sum), count: String(SEATS), mean: mean(sum, BigInt(SEATS), DECIMALS) };
  await t.test("the result is there, and is there again after a reload", async () => {
    for (const reloads of [false, true]) {
      if (reloads) await Promise.all(people.map((who) => who.reload()));
      for (const who of people) await check(who, FIRST, first);
    }
    assert.deepEqual(figures(await slow.result()), first);
  });
  const [host] = people;
  await host.askAgain({ service: "Sum", text: SECOND });
  for (const who of people) await who.heading(SECOND).waitFor();
  await Promise.all(people.map((who) => who.reload()));
  await Promise.all(people.map(async (who, index) => {
    await who.heading(SECOND).waitFor();
    await who.answer(show(numbers[1][index]));
  }));
  await t.test("asked again after all that, the sum is exact", async () => {
    for (const who of people) await check(who, SECOND, { sum: show(total(numbers[1])) });
  });
}

async function check(who, question, expected) {
  const result = await who.result(SEATS, question);
  const values = Object.fromEntries(Object.entries(result.figures).map(([name, text]) => [name, text.replace(/ EUR$/, "")]));
  assert.deepEqual([values, result.mine], [expected, true], who.name);
}

/** What came in, byte for byte: a second value or a second seat would be another entry. */
function saidOnce(relay) {
  const entries = storedEntries(relay.frames());
  const places = entries.map(({ author, sequence }) => `${author} ${sequence}`);
  assert.equal(new Set(places).size, places.length);
  assert.equal(new Set(entries.map(({ author }) => author)).size, SEATS);
  assert.equal(ofKind(entries, "masked").length, 2 * SEATS);
}

async function nothingShows({ relay, people, link, numbers }) {
  const fragment = new URL(link).hash.slice(1);
  const invite = [textSecret("fragment", fragment), bytesSecret("secret", Buffer.from(fragment, "base64url").subarray(-16))];
  const inputs = numbers.flat().map((units, index) => numberSecret(`input ${index}`, units, DECIMALS));
  const hays = haystacksOf(relay.frames());
  for (const who of people) {
    const names = await who.namesKept();
    assert.ok(names.some((name) => /#\/room\/[0-9a-f]{16}$/.test(name)) && names.includes("undertone"), names.join());
    const kept = await who.valuesKept();
    assert.ok(kept.length > 5, "values were seen");
    hays.push(haystack(`names of ${who.name}`, names.join("\n")), ...kept.map((bytes, i) => haystack(`kept ${i} of ${who.name}`, bytes)));
    hays.push(haystack(`console of ${who.name}`, who.console.join("\n")), haystack(`addresses of ${who.name}`, who.urls.join("\n")));
    // The host's screen shows the link on purpose, until the list is closed.
    hays.push(haystack(`screen of ${who.name}`, await who.page.content()));
  }
  assert.deepEqual(scan(hays, [...invite, ...inputs]), []);
}

async function overAndDeleted(t, people) {
  const [host, ...guests] = people;
  await t.test("a room that is over is deleted from the browser, and the address forgets it", async () => {
    await host.page.evaluate(() => document.querySelector("ut-room").session.end());
    for (const who of guests) {
      await who.text("This room has ended.").first().waitFor();
      assert.deepEqual(await who.valuesKept(), []);
      assert.equal(new URL(who.page.url()).hash, "");
    }
  });
}
