/** The screen that measures this device: the real work in the real app, and its end when it is told to stop. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { audit } from "./lib/look.mjs";
import { launch, person } from "./lib/people.mjs";
import { startRelay } from "./lib/relay.mjs";

test("a device measures itself, stops when told, and rooms load none of it", { timeout: 180_000 }, async (t) => {
  const [relay, browser] = await Promise.all([startRelay(t), launch(t)]);
  const ada = await person(browser, "ada");
  const wasm = [];
  ada.page.on("request", (request) => wasm.push(...(/\w+_bg/.exec(request.url()) ?? [])));
  await ada.open(relay.url);
  assert.ok(!wasm.includes("bench_bg"), wasm.join());
  await ada.page.getByRole("link", { name: "What this device can do" }).click();
  await ada.heading("What this device can do").waitFor();
  const row = (id) => ada.page.locator(`[data-comparison=${id}]`);

  await ada.button("Measure").click();
  await ada.text("Measuring: ").first().waitFor();
  await ada.button("Stop").click();
  await ada.text("Stopped.").first().waitFor();
  await ada.button("Measure again").click();
  await ada.text("Done.").waitFor({ timeout: 150_000 });
  assert.ok(wasm.includes("bench_bg"), wasm.join());
  for (const id of ["pcl", "kdk", "curve", "group"]) {
    const [paper, here, times] = await row(id).locator("td").allInnerTexts();
    assert.match(`${paper} ${here}`, /^[\d.,]+ m?s [\d.,]+ m?s$/);
    // All of them are meant to be far above 1; how far is for an idle machine to show.
    assert.ok(Number(times.replace(/[×,]/g, "")) > 1, `${id}: ${times}`);
  }
  await ada.text("The authors measured 437 times").waitFor();
  assert.deepEqual(await audit(ada.page, "measured"), []);
  assert.deepEqual(ada.errors, []);
});
