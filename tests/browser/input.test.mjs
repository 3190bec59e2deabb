/**
 * What is no answer is refused at the field and in the core with the same sentence, which names the
 * allowed range; and nothing is sent.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { host as hostNative, join } from "./lib/native.mjs";
import { launch, person } from "./lib/people.mjs";
import { startRelay } from "./lib/relay.mjs";
import { ofKind, storedEntries } from "./lib/tap.mjs";

const SEATS = 5;
const PARAMS = { unit: "EUR", decimals: "2", min: "0", max: "50" };
const ALLOWED = "Allowed: 0.00 to 50.00 EUR, at most 2 decimals.";
const BAD = {
  "text": "twelve",
  "NaN": "NaN",
  "infinity": "Infinity",
  "nothing": "",
  "spaces": "   ",
  "too high": "50.01",
  "too low": "-0.01",
  "too many decimals": "1.234",
  "10^400": "10^400",
  "1e400": "1e400",
  "1 and 400 zeros": `1${"0".repeat(400)}`,
  "a comma of two meanings": "1,234",
  "hexadecimal": "0x10",
  "two numbers": "1 2",
  "other digits": "٣",
};

test("bad input is refused with one sentence everywhere, and nothing is sent", { timeout: 120_000 }, async (t) => {
  const [relay, browser] = await Promise.all([startRelay(t), launch(t)]);
  const expected = await sentencesOfTheCore(t, relay);
  const ada = await person(browser, "ada");
  // The list is closed and all others have answered: whatever was let through would leave at once.
  const opener = hostNative(t, relay.url, "mean", PARAMS, ["--question", "How much?", "--people", String(SEATS)]);
  const { invite } = await opener.notice("opened");
  [10, 20, 30, 40].forEach((value) => join(t, invite, ["--input", String(value)]));
  await ada.comeByLink(invite);
  await ada.text("4 of 5 have sent").first().waitFor();

  for (const [name, text] of Object.entries(BAD)) {
    await t.test(`refused: ${name}`, async () => {
      await refusedWhileTyping(ada, text, expected[name]);
      await refusedOnSend(ada, text, expected[name]);
      assert.equal(masked(relay).length, SEATS - 1);
    });
  }
  await t.test("a good answer after that leaves and counts", async () => {
    await ada.answer("12.5");
    // The host gives no value, but signs the result like everybody.
    assert.deepEqual((await ada.result(SEATS + 1)).figures, { sum: "112.50 EUR", count: "5", mean: "22.50 EUR" });
    assert.equal(masked(relay).length, SEATS);
    assert.deepEqual(ada.errors, []);
  });
  await t.test("those who only waited, for longer than signatures may take, have all of them too", async () => {
    assert.equal((await opener.result()).seats, SEATS + 1);
    assert.equal(await opener.child.exit(), 0);
  });
  await t.test("the host has gone, and the page does not promise another question", async () => {
    await ada.text("This room has ended.").first().waitFor();
    assert.equal(await ada.text("the host may ask the same people again").count(), 0);
  });
});

const masked = (relay) => ofKind(storedEntries(relay.frames()), "masked");

/** What `undertone join --input` says, in a room that never starts. */
async function sentencesOfTheCore(t, relay) {
  const opener = hostNative(t, relay.url, "mean", PARAMS);
  const { invite } = await opener.notice("opened");
  const asked = Object.entries(BAD).map(async ([name, text]) => [name, await sentenceOfTheCore(t, invite, text)]);
  const sentences = Object.fromEntries(await Promise.all(asked));
  assert.equal(masked(relay).length, 0);
  return sentences;
}

async function sentenceOfTheCore(t, invite, text) {
  const native = join(t, invite, ["--input", text]);
  assert.equal(await native.child.exit(), 2, native.child.said());
  const sentence = native.complaint().match(/^undertone: (.*) \(bad-input\)$/)?.[1];
  assert.ok(sentence?.endsWith(ALLOWED), native.complaint());
  return sentence;
}

/** An empty field is no mistake before someone wants to send it. */
async function refusedWhileTyping(ada, text, sentence) {
  await ada.field("Your number").fill("1");
  await ada.noRefusal();
  await ada.field("Your number").fill(text);
  if (text !== "") assert.equal(await ada.refusal(), sentence);
}

async function refusedOnSend(ada, text, sentence) {
  await ada.answer(text);
  assert.equal(await ada.refusal(), sentence);
  const field = ada.field("Your number");
  assert.equal(await field.getAttribute("aria-invalid"), "true");
  assert.ok((await field.getAttribute("aria-describedby")).includes("own-number-error"));
  assert.equal(await field.evaluate((it) => it === document.activeElement), true, "the field has the focus");
}
