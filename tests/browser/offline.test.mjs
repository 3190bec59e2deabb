/** After the first visit the start page is there without a network; on plain http it never is. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { launch, person } from "./lib/people.mjs";
import { startRelay } from "./lib/relay.mjs";

test("the start page comes back after the relay has gone", { timeout: 60_000 }, async (t) => {
  const [relay, browser] = await Promise.all([startRelay(t), launch(t)]);
  const ada = await person(browser, "ada");
  await ada.open(relay.url);
  // The cache holds every file by then.
  await ada.page.waitForFunction(() => navigator.serviceWorker.ready.then((it) => it.active?.state === "activated"));
  await relay.stop();
  await assert.rejects(fetch(relay.url), "the relay is gone");
  await ada.page.reload();
  await ada.heading("Add up numbers that nobody shows.").waitFor();
  // Its parts are there too, the core among them.
  await ada.button("Ask the room").click();
  await ada.field("Highest value").fill("-5");
  await ada.text("The highest value must be above the lowest value.").waitFor();
  assert.equal(await ada.page.evaluate(() => navigator.serviceWorker.controller !== null), true);
  assert.deepEqual(ada.errors, []);
});
