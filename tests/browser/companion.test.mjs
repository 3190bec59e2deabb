/**
 * The companion of the leak scan: a room of participants whose pads are zeros, and the same scan
 * over the same places. It has to find every input, or it would be worth nothing.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { decimal, mean, total } from "./lib/exact.mjs";
import { Native, figures, host } from "./lib/native.mjs";
import { ZERO_PADS, needs } from "./lib/places.mjs";
import { Random, tellSeed } from "./lib/random.mjs";
import { startRelay } from "./lib/relay.mjs";
import { addUp, haystack, haystacksOf, numberSecret, scan } from "./lib/scan.mjs";
import { ofKind, storedEntries } from "./lib/tap.mjs";

const SEATS = 5;
const DECIMALS = 4;
const PARAMS = { unit: "EUR", min: "0", max: "99999999.9999", decimals: DECIMALS };

test("without masks, the scan finds every input", { timeout: 60_000 }, async (t) => {
  tellSeed(t);
  needs(ZERO_PADS, "cargo build --workspace --examples");
  const random = new Random("companion");
  const numbers = Array.from({ length: SEATS }, () => random.units(12));
  const relay = await startRelay(t);
  const opener = host(t, relay.url, "mean", PARAMS, ["--question", "How much?", "--people", String(SEATS)]);
  const { invite } = await opener.notice("opened");
  const seats = numbers.map((units) => new Native(t, ZERO_PADS, [invite, decimal(units, DECIMALS)]));

  const result = figures(await opener.result());
  const sum = total(numbers);
  assert.deepEqual(result, { sum: decimal(sum, DECIMALS), count: String(SEATS), mean: mean(sum, BigInt(SEATS), DECIMALS) });
  for (const seat of seats) assert.equal(await seat.child.exit(), 0, seat.child.said());

  const frames = relay.frames();
  const shown = seats.map((seat) => seat.masked()[0]);
  const haystacks = [...haystacksOf(frames), ...shown.map((bytes, seat) => haystack(`masked bytes 0.${seat}`, bytes))];
  const secrets = numbers.map((units, index) => numberSecret(`input ${index}`, units, DECIMALS));
  const found = scan(haystacks, secrets);
  for (const { name } of secrets) {
    assert.ok(found.some((leak) => leak.name === name && leak.form === "little-endian"), `the scan misses ${name}`);
  }
  // The seal around the room is a wall of its own: even without masks, the relay's store says nothing.
  const store = ofKind(storedEntries(frames), "masked").map(({ payload }) => payload);
  assert.equal(store.length, SEATS);
  assert.deepEqual(addUp(store, [sum]), []);
  assert.deepEqual(addUp(shown, [sum]), ["readBigUInt64LE at byte 0"]);
});
