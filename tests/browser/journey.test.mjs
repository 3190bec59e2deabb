/**
 * The main job: seven people in one room, five in front of browsers and two on the command line, one
 * of these for a thousand rows. Everyone sees the exact result, twice, and the relay saw nothing.
 */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join as path } from "node:path";
import { test } from "node:test";
import { decimal, mean, total } from "./lib/exact.mjs";
import { figures, join } from "./lib/native.mjs";
import { launch, person } from "./lib/people.mjs";
import { Random, tellSeed } from "./lib/random.mjs";
import { folder, startRelay } from "./lib/relay.mjs";
import { addUp, bytesSecret, countSecret, haystack, haystacksOf, numberSecret, scan, textSecret } from "./lib/scan.mjs";
import { ofKind, readEntry, sentEntries, storedEntries } from "./lib/tap.mjs";

const SEATS = 7;
const ROWS = 1000;
const DECIMALS = 4;
/** Twelve digits: even their shortest form, a varint, does not turn up in noise by chance. */
const DIGITS = 12;
const MAX = "99999999.9999";
const UNIT = "EUR";
const FIRST = "How much did you earn last year?";
const SECOND = "And how did your savings change?";
const show = (units) => decimal(units, DECIMALS);

test("seven people, two questions, exact everywhere, and nothing for the relay", { timeout: 150_000 }, async (t) => {
  tellSeed(t);
  const numbers = inputs();
  const [relay, browser] = await Promise.all([startRelay(t), launch(t)]);
  const room = await gather(t, relay, browser, numbers);
  const shown = [await firstQuestion(t, room, numbers), await secondQuestion(t, room, numbers)];
  await relayShowsWhatItStores(t, room, relay);
  await t.test("no page reported an error", () => {
    assert.deepEqual(room.people.flatMap(({ errors }) => errors), []);
  });
  await leaveEveryone(room);
  await nothingLeaked(t, { relay, room, numbers, shown });
});

/** The numbers of one run: per question one of each person, and of the site a row each. */
function inputs() {
  const [first, second] = [new Random("first question"), new Random("second question")];
  const column = (next) => Array.from({ length: ROWS }, next);
  return {
    people: Array.from({ length: SEATS - 1 }, () => [first.units(DIGITS), second.signed(DIGITS)]),
    site: [column(() => first.units(DIGITS)), column(() => second.signed(DIGITS))],
  };
}

/** All values of a question. */
function allOf({ people, site }, question) {
  return [...people.map((values) => values[question]), ...site[question]];
}

/** Everyone comes; the host locks. Some have typed their number by then, some not. */
async function gather(t, relay, browser, numbers) {
  const people = await Promise.all(["host", "ada", "ben", "cem", "dua"].map((name) => person(browser, name)));
  const [host, ...guests] = people;
  const opened = await host.openRoom(relay.url, {
    service: "Average", text: FIRST, unit: UNIT, min: "0", max: MAX, decimals: String(DECIMALS),
    rowsMax: String(ROWS), contribute: true,
  });
  const natives = [join(t, opened.link, nativeArgs(numbers.people[5])), join(t, opened.link, siteArgs(t, numbers.site))];
  await Promise.all(guests.map((guest) => guest.comeByLink(opened.link)));
  await guests[0].answer(show(numbers.people[1][0]));
  await host.lock(SEATS);
  return { ...opened, people, natives };
}

function nativeArgs(values) {
  return [...values.flatMap((value) => ["--input", show(value)]), "--questions", "2"];
}

function siteArgs(t, columns) {
  const file = path(folder(t), "rows.csv");
  const rows = columns[0].map((value, row) => `${row},${show(value)},${show(columns[1][row])}`);
  writeFileSync(file, ["row,earned,saved", ...rows].join("\n") + "\n");
  return ["--csv", file, "--column", "earned", "--column", "saved", "--questions", "2"];
}

async function firstQuestion(t, { people, natives }, numbers) {
  const [host, ada, ...others] = people;
  await Promise.all([host, ...others].map((it) => it.answer(show(numbers.people[people.indexOf(it)][0]))));
  const all = allOf(numbers, 0);
  const sum = total(all);
  const expected = { sum: show(sum), count: String(all.length), mean: mean(sum, BigInt(all.length), DECIMALS) };
  await t.test("sum, count and mean are exact for all seven", () => check({ people, natives }, 0, FIRST, expected));
  assert.equal(ada.name, "ada");
  return masked({ people, natives }, 0);
}

async function secondQuestion(t, { people, natives }, numbers) {
  const [host] = people;
  await host.askAgain({ service: "Sum", text: SECOND, min: `-${MAX}` });
  await Promise.all(people.map((it, index) => answerSecond(it, show(numbers.people[index][1]))));
  const expected = { sum: show(total(allOf(numbers, 1))) };
  await t.test("asked again on the same roster, the sum is exact for all seven", () => check({ people, natives }, 1, SECOND, expected));
  return masked({ people, natives }, 1);
}

async function answerSecond(who, value) {
  await who.heading(SECOND).waitFor();
  await who.answer(value);
}

/** All seven show the same figures, signed by seven, with their own contribution in. */
async function check({ people, natives }, index, question, expected) {
  const withUnit = Object.fromEntries(Object.entries(expected).map(([name, value]) => [name, name === "count" ? value : `${value} ${UNIT}`]));
  const onScreens = await Promise.all(people.map((it) => it.result(SEATS, question)));
  for (const [at, result] of onScreens.entries()) {
    const { name } = people[at];
    assert.deepEqual(result.figures, withUnit, name);
    assert.ok(result.mine, `${name}: contribution is in`);
    assert.match(result.tier, /^Host-verified/, name);
    assert.match(result.included, new RegExp(`^${SEATS} `), name);
  }
  for (const native of natives) {
    const result = await native.result(index);
    assert.deepEqual(figures(result), expected, native.child.name);
    assert.deepEqual([result.confirmed, result.seats, result.included, result.contributionIn, result.tier],
      [SEATS, SEATS, SEATS, true, "host-verified"], native.child.name);
  }
}

/** The masked bytes that each of the seven says it sent. */
async function masked({ people, natives }, index) {
  return [...(await Promise.all(people.map((it) => it.masked()))), ...natives.map((native) => native.masked()[index])];
}

async function relayShowsWhatItStores(t, { people }, relay) {
  await t.test("what the page shows as stored is what the relay stored", async () => {
    const shown = (await people[1].relayHolds()).map((bytes) => bytes.toString("hex"));
    const stored = new Set(sentBytes(relay.frames()));
    assert.equal(shown.filter((hex) => readEntry(Buffer.from(hex, "hex")).kind === "masked").length, 2 * SEATS);
    assert.deepEqual(shown.filter((hex) => !stored.has(hex)), []);
  });
}

function sentBytes(frames) {
  return frames.filter(({ bytes }) => bytes[0] === 0x02).map(({ bytes }) => bytes.subarray(1).toString("hex"));
}

async function leaveEveryone({ people, natives }) {
  for (const native of natives) assert.equal(await native.child.exit(), 0, native.child.name);
  for (const { context } of people.toReversed()) await context.close({ runBeforeUnload: false });
}

async function nothingLeaked(t, { relay, room, numbers, shown }) {
  const frames = relay.frames();
  const haystacks = [
    ...haystacksOf(frames),
    ...shown.flatMap((all, question) => all.map((bytes, seat) => haystack(`masked bytes ${question}.${seat}`, bytes))),
    ...room.people.map(({ name, console }) => haystack(`console of ${name}`, console.join("\n"))),
    ...room.people.map(({ name, urls }) => haystack(`addresses of ${name}`, urls.join("\n"))),
  ];
  await t.test("no input is in anything that the relay stored or forwarded", () => {
    assert.ok(frames.length > 100, "the tap saw the room");
    findsNothing(haystacks, secretNumbers(numbers));
  });
  await t.test("the invite's secret is in no frame and no address", () => {
    const fragment = new URL(room.link).hash.slice(1);
    const secret = Buffer.from(fragment, "base64url").subarray(-16);
    assert.equal(room.people.every(({ urls }) => urls.length > 5), true, "addresses were seen");
    findsNothing(haystacks, [textSecret("fragment", fragment), bytesSecret("secret", secret)]);
  });
  await theStoreCannotAddUp(t, storedEntries(frames), sentEntries(frames), numbers, shown);
}

/** Nothing is there; and each of them would be found in these very bytes if it were. */
function findsNothing(haystacks, secrets) {
  assert.deepEqual(scan(haystacks, secrets), []);
  const planted = Buffer.concat([haystacks[0].bytes, ...secrets.map(({ needles }) => needles[0].bytes)]);
  const found = new Set(scan([haystack("planted", planted)], secrets).map(({ name }) => name));
  assert.deepEqual(secrets.map(({ name }) => name).filter((name) => !found.has(name)), []);
}

/** Every input, every row of the site, and what only the site knows; and the results, which are for the room alone. */
function secretNumbers(numbers) {
  const secrets = [];
  for (const question of [0, 1]) {
    const named = (name, units) => numberSecret(`${name}, question ${question + 1}`, units, DECIMALS);
    secrets.push(...allOf(numbers, question).map((units, index) => named(`input ${index}`, units)));
    secrets.push(named("sum of the site's rows", total(numbers.site[question])));
    secrets.push(named("sum of all", total(allOf(numbers, question))));
  }
  return [...secrets, countSecret("number of the site's rows", BigInt(ROWS)), countSecret("number of all rows", BigInt(ROWS + SEATS - 1))];
}

async function theStoreCannotAddUp(t, stored, sent, numbers, shown) {
  const plans = [...new Set(ofKind(stored, "masked").map(({ plan }) => plan))];
  await t.test("the relay stored one masked entry of each seat for each question", () => {
    assert.equal(plans.length, 2);
    assert.equal(new Set(ofKind(sent, "masked").map(({ author, plan }) => author + plan)).size, 2 * SEATS);
    for (const plan of plans) assert.equal(new Set(payloadsOf(stored, plan).map(({ author }) => author)).size, SEATS);
  });
  for (const [question, plan] of plans.entries()) {
    const payloads = payloadsOf(stored, plan).map(({ payload }) => payload);
    const wanted = [total(allOf(numbers, question))];
    await t.test(`adding up what is stored for question ${question + 1} does not give the sum`, () => {
      assert.equal(payloads.length, SEATS);
      assert.deepEqual(addUp(payloads, wanted), []);
      // The same hands, on what only people in the room can open: so the seal is what stops them.
      assert.deepEqual(addUp(shown[question], wanted), ["readBigUInt64LE at byte 0"]);
      assert.deepEqual(addUp(shown[question].slice(1), wanted), [], "six of seven are not enough");
    });
  }
}

function payloadsOf(entries, plan) {
  return ofKind(entries, "masked").filter((entry) => entry.plan === plan);
}
