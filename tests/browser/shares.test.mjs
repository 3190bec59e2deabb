/**
 * People cut their numbers into shares and close the page once it says so; a tab and a program add up, and
 * the result still comes.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { join } from "./lib/native.mjs";
import { launch, person } from "./lib/people.mjs";
import { startRelay } from "./lib/relay.mjs";

const QUESTION = { service: "Sum by shares", text: "How many hours?", unit: "h", max: "50", decimals: "2", groupMin: "3" };

test("people close their tab once their entry is acknowledged, and the result still comes", { timeout: 180_000 }, async (t) => {
  const [relay, browser] = await Promise.all([startRelay(t), launch(t)]);
  const [host, ada, ben, carl] = await Promise.all(["host", "ada", "ben", "carl"].map((name) => person(browser, name)));
  // The host gives no value, so its tab adds up; so do another tab and a program.
  const { link } = await host.openRoom(relay.url, QUESTION);
  const program = join(t, link, ["--small-group", "--add-up"]);
  await carl.open(link);
  await carl.page.getByRole("checkbox", { name: /small group/ }).check();
  await carl.button("Add up for the others instead").click();
  await carl.region("You add up for the others").waitFor();
  for (const who of [ada, ben]) {
    await who.open(link);
    await who.page.getByText("all 3 seats that add up").waitFor();
    await who.takePart({ smallGroup: true });
  }
  const goes = join(t, link, ["--small-group", "--input", "12.25", "--then-leave"]);
  await host.page.locator("[data-computers]").filter({ hasText: "3 of 3 seats" }).waitFor();
  await host.lock(3);
  await goes.notice("sent");
  await ada.answer("1.5");
  await ada.page.locator("[data-may-go]").waitFor();
  await ada.context.close();
  await carl.page.locator("[data-holds]").filter({ hasText: "2 of 3" }).waitFor();
  // A tab that adds up may be reloaded: it is the same seat and holds the same shares.
  await carl.reload();
  await carl.page.locator("[data-holds]").filter({ hasText: "2 of 3" }).waitFor();
  await ben.answer("50");
  // Those three sign: nobody else is needed.
  for (const who of [host, carl, ben]) assert.deepEqual((await who.result(3)).figures, { sum: "63.75 h", people: "3" });
  const { figures, included } = await program.result();
  assert.deepEqual([figures[0].value, included], ["63.75", 3]);
  assert.deepEqual([host, ben, carl].flatMap(({ errors }) => errors), []);
});
