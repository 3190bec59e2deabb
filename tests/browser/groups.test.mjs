/**
 * A sum in a group: the module that can do it is loaded by the question that needs it, for who comes by
 * link and for who types the code.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { join } from "./lib/native.mjs";
import { launch, person } from "./lib/people.mjs";
import { startRelay } from "./lib/relay.mjs";

const QUESTION = {
  service: "Sum in a group", text: "How many hours?", unit: "h", min: "-1", max: "50", decimals: "2", groupMin: "3",
};

test("a sum in a group is exact in browsers and on the command line", { timeout: 120_000 }, async (t) => {
  const [relay, browser] = await Promise.all([startRelay(t), launch(t)]);
  const [host, ada, ben] = await Promise.all(["host", "ada", "ben"].map((name) => person(browser, name)));
  const people = [host, ada, ben];
  const { link, code } = await host.openRoom(relay.url, QUESTION);
  const program = join(t, link, ["--small-group", "--input", "12.25"]);
  await ada.open(link);
  await ada.takePart({ smallGroup: true });
  await ben.comeByCode(relay.url, code, { smallGroup: true });
  await ada.answer("-1");
  await ben.answer("50");
  await host.lock(3);
  for (const who of people) assert.deepEqual((await who.result(4)).figures, { sum: "61.25 h" });
  assert.equal((await program.result()).figures[0].value, "61.25");
  assert.deepEqual(people.flatMap(({ errors }) => errors), []);
});
