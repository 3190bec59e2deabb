/** A participant with nothing but a keyboard: from the start page to the small print of the result. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { join } from "./lib/native.mjs";
import { launch, person } from "./lib/people.mjs";
import { startRelay } from "./lib/relay.mjs";

const SEATS = 5;
const TABS_MAX = 30;

test("a participant needs no pointer", { timeout: 60_000 }, async (t) => {
  const [relay, browser] = await Promise.all([startRelay(t), launch(t)]);
  const [host, ada] = [await person(browser, "host"), await person(browser, "ada")];
  const { link } = await host.openRoom(relay.url, { service: "Average", text: "How much?", unit: "EUR", max: "300" });
  [10, 20, 30, 40].forEach((value) => join(t, link, ["--input", String(value)]));
  const { keyboard } = ada.page;
  await ada.open(relay.url);

  await tabTo(ada, "Skip to the content");
  await keyboard.press("Enter");
  await tabTo(ada, "Link or code");
  await keyboard.insertText(link);
  await keyboard.press("Enter");
  await ada.button("Take part").waitFor();
  await headingHasFocus(ada, "The host asks How much?");
  await tabTo(ada, "Take part");
  await keyboard.press("Enter");
  await ada.field("Your number").waitFor();
  await headingHasFocus(ada, "The host asks How much?");
  await host.lock(SEATS);
  await tabTo(ada, "Your number");
  await keyboard.type("3000");
  await keyboard.press("Enter");
  assert.match(await ada.refusal(), /out of range/);
  assert.equal(await focused(ada).then(({ name }) => name), "Your number");
  await keyboard.press("Control+A");
  await keyboard.type("50");
  await keyboard.press("Enter");
  assert.deepEqual((await ada.result(SEATS + 1)).figures, { mean: "30 EUR", sum: "150 EUR", count: "5" });
  await headingHasFocus(ada, "The room’s result How much?");
  await tabTo(ada, "What this result tells, and what it doesn’t");
  await keyboard.press("Enter");
  await ada.text("Someone may have typed a wrong number.").waitFor();
  await tabTo(ada, "Fetch it");
  await keyboard.press("Space");
  await tabTo(ada, /^Entry 0, open/);
  await keyboard.press("Enter");
  await ada.page.locator("[data-entry='0']").waitFor();
  assert.deepEqual(ada.errors, []);
});

/** Presses Tab until something of that name has the focus; everything on the way shows that it has. */
async function tabTo(who, name) {
  const passed = [];
  for (let tabs = 0; tabs < TABS_MAX; tabs++) {
    await who.page.keyboard.press("Tab");
    const it = await focused(who);
    assert.ok(it.visible, `${it.name} has the focus and does not show it`);
    if (typeof name === "string" ? it.name === name : name.test(it.name)) return;
    passed.push(it.name);
  }
  assert.fail(`${name} cannot be reached; there are: ${passed.join(", ")}`);
}

/** Waits for it: the focus follows once the new screen is drawn. */
async function headingHasFocus(who, text) {
  const found = await who.page.waitForFunction((text) => {
    const active = document.activeElement;
    return active?.tagName === "H1" && active.innerText.replace(/\s+/g, " ").trim().toLowerCase() === text.toLowerCase();
  }, text).catch(() => undefined);
  assert.ok(found, `focus is on "${(await focused(who)).name}", not on the heading "${text}"`);
}

function focused(who) {
  return who.page.evaluate(() => {
    const it = document.activeElement;
    const style = getComputedStyle(it);
    const box = it.getBoundingClientRect();
    const ring = (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2) || style.boxShadow !== "none";
    const named = it.getAttribute("aria-label") ?? it.labels?.[0]?.innerText ?? (it === document.body ? "the page" : it.innerText);
    return { name: named.replace(/\s+/g, " ").trim(), visible: it === document.body || (ring && box.width > 0 && box.bottom > 0) };
  });
}
