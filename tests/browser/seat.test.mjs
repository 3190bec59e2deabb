/**
 * One seat of one browser: two tabs of it, its storage wiped or torn, a device that slept, and the same
 * where a browser has neither Web Locks nor keys of its own.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Gate } from "./lib/gate.mjs";
import { Group } from "./lib/group.mjs";
import { launch, person } from "./lib/people.mjs";
import { folder, startRelay } from "./lib/relay.mjs";
import { ofKind, storedEntries } from "./lib/tap.mjs";

const NAME = "teacher.lan";
const ELSEWHERE = "Your seat is open in another tab";
const FROZEN_MS = 10_000;
const WAKE_MS = 5_000;

/** Ada's page in a group of four, at an origin of her choice. */
async function setUp(t, { silent = false, names = [], origin } = {}) {
  const [relay, browser] = await Promise.all([startRelay(t), launch(t, names)]);
  const group = await Group.ask(t, relay, { folder: folder(t), silent });
  const ada = await person(browser, "ada");
  const link = group.invite.replace(relay.url, origin ? origin(relay) : relay.url);
  await ada.open(link);
  await ada.takePart({ smallGroup: true });
  return { relay, browser, group, ada, link };
}

const joins = (relay) => ofKind(storedEntries(relay.frames()), "join");
const values = (relay) => ofKind(storedEntries(relay.frames()), "masked");

const INSECURE = { names: [NAME], origin: ({ port }) => `http://${NAME}:${port}` };

test("of two tabs one speaks for the seat, and the person says which", { timeout: 90_000 }, async (t) => {
  await t.test("where the browser has locks", (t) => twoTabs(t, {}));
  await t.test("on plain http, where it has none", (t) => twoTabs(t, INSECURE));
});

async function twoTabs(t, options) {
  const { relay, group, ada, link } = await setUp(t, options);
  const secure = options.names === undefined;
  assert.deepEqual(await ada.page.evaluate(() => [isSecureContext, "locks" in navigator]), [secure, secure]);
  const other = await ada.anotherTab();
  for (const address of [ada.page.url(), link]) {
    await other.page.goto("about:blank");
    await other.page.goto(address);
    await other.heading(ELSEWHERE).waitFor();
  }
  await other.button("Use it here").click();
  await other.field("Your number").waitFor();
  await ada.heading(ELSEWHERE).waitFor();
  group.come();
  await other.text("3 of 4 have sent").first().waitFor();
  await ada.button("Use it here").click();
  await other.heading(ELSEWHERE).waitFor();
  await ada.answer("10");
  assert.deepEqual((await ada.result(4)).figures, { sum: "16.00 h" });
  assert.equal((await group.host.result()).figures[0].value, "16.00");
  assert.deepEqual([joins(relay).length, values(relay).length], [3, 4]);
  assert.deepEqual([...ada.errors, ...other.errors], []);
}

test("on plain http a tab that is reloaded has its seat", { timeout: 60_000 }, async (t) => {
  const { relay, group, ada } = await setUp(t, { ...INSECURE, silent: true });
  await ada.reload();
  await ada.field("Your number").waitFor();
  group.come();
  await ada.answer("10");
  const receipt = await ada.page.locator("[data-receipt]").innerText();
  await ada.text("3 of 4 have sent").first().waitFor();
  await ada.reload();
  assert.equal(await ada.page.locator("[data-receipt]").innerText(), receipt);
  assert.deepEqual([joins(relay).length, values(relay).length], [3, 3]);
  assert.deepEqual(ada.errors, []);
});

test("a tab that is reloaded in a series has the readings of before, and answers the next", { timeout: 90_000 }, async (t) => {
  const [relay, browser] = await Promise.all([startRelay(t), launch(t)]);
  // So wide a range takes a table, which a page that was reloaded has to make again before it can read on.
  const params = { max: "100000" };
  const group = await Group.ask(t, relay, { folder: folder(t), service: "kdk", params, readings: 2, every: "12s", deadline: "11" });
  const ada = await person(browser, "ada");
  await ada.open(group.invite);
  await ada.takePart({ smallGroup: true });
  group.come();
  const reading = (index, text) => ada.page.locator(`[data-reading="${index}"]`).filter({ hasText: text }).waitFor({ state: "attached" });
  const openTable = () => ada.text("The readings as a table").click();
  await ada.answer("90000");
  await openTable();
  await reading(1, "90006.00 h");
  await ada.text("Reading 2 of 2.").waitFor();
  await ada.reload();
  await openTable();
  await reading(1, "90006.00 h");
  await ada.answer("20");
  await reading(2, "26.00 h");
  assert.equal(values(relay).length, 8);
  assert.deepEqual(ada.errors, []);
});

test("wiped storage is a new seat and says so; torn storage sends nothing", { timeout: 60_000 }, async (t) => {
  const { relay, ada, link } = await setUp(t);
  const tools = await ada.context.newCDPSession(ada.page);
  await tools.send("Storage.clearDataForOrigin", { origin: relay.url, storageTypes: "indexeddb" });
  await ada.reload();
  await ada.heading("Your seat is not on this device any more").waitFor();
  await ada.text("you are a new seat").waitFor();
  assert.equal(new URL(ada.page.url()).hash, "");
  await ada.open(link);
  await ada.takePart({ smallGroup: true });
  await ada.text("You are in.").waitFor();
  assert.equal(new Set(joins(relay).map(({ author }) => author)).size, 2);

  const said = storedEntries(relay.frames()).length;
  await ada.page.evaluate(tear);
  await ada.reload();
  await ada.heading("Your seat is not on this device any more").waitFor();
  assert.deepEqual([storedEntries(relay.frames()).length, await ada.valuesKept()], [said, []]);
  await ada.open(link);
  await ada.takePart({ smallGroup: true });
  // With the host they are four by now, so the list is closed.
  await ada.text("devices agree").waitFor();
  assert.equal(new Set(joins(relay).map(({ author }) => author)).size, 3);
});

/** Flips a bit of the first thing that the seat said. */
async function tear() {
  const done = (request) => new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
  const db = await done(indexedDB.open("undertone"));
  const said = db.transaction("said", "readwrite").objectStore("said");
  const [key] = await done(said.getAllKeys());
  const bytes = await done(said.get(key));
  bytes[bytes.length - 1] ^= 1;
  await done(said.put(bytes, key));
  db.close();
}

test("a page that was frozen finds its dead connection within 5 s of waking, and the result arrives", { timeout: 90_000 }, async (t) => {
  const [relay, browser] = await Promise.all([startRelay(t), launch(t)]);
  const gate = await Gate.open(t, relay.port);
  const group = await Group.ask(t, relay, { folder: folder(t) });
  const ada = await person(browser, "ada");
  await ada.open(group.invite.replace(relay.url, gate.url));
  await ada.takePart({ smallGroup: true });
  group.come();
  await ada.text("3 of 4 have sent").first().waitFor();
  const beats = await ada.page.evaluate(() => {
    globalThis.beats = 0;
    return setInterval(() => globalThis.beats++, 100);
  });
  assert.ok(beats > 0);
  const wake = await freeze(t, browser);
  // The relay's side goes away without a word, as it does for a phone in a pocket.
  gate.swallow();
  await pause(FROZEN_MS);
  const [before, woke] = [gate.opened.length, performance.now()];
  wake();
  while (gate.opened.length === before && performance.now() - woke < 2 * WAKE_MS) await pause(20);
  const took = Math.round(performance.now() - woke);
  const beaten = await ada.page.evaluate(() => globalThis.beats);
  t.diagnostic(`connected again ${took} ms after waking; ${beaten} of ${FROZEN_MS / 100} beats meanwhile`);
  assert.ok(beaten * 100 < FROZEN_MS + took, "the page stood still");
  assert.ok(took < WAKE_MS, `${took} ms`);
  await ada.answer("10");
  assert.deepEqual((await ada.result(4)).figures, { sum: "16.00 h" });
  assert.equal((await group.host.result()).figures[0].value, "16.00");
  assert.equal(values(relay).length, 4);
});

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Stops the processes that run this browser's pages, as a phone does that is locked: pages and workers
 * stand still and are told nothing. (A page in front cannot be frozen by `Page.setWebLifecycleState`.)
 */
async function freeze(t, browser) {
  const tools = await browser.newBrowserCDPSession();
  const { processInfo } = await tools.send("SystemInfo.getProcessInfo");
  const pages = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => id);
  assert.ok(pages.length > 0);
  const tell = (signal) => pages.forEach((id) => process.kill(id, signal));
  tell("SIGSTOP");
  const wake = () => tell("SIGCONT");
  // Before the browser is closed, whatever happens: what is stopped cannot be closed.
  t.after(() => browser.isConnected() && wake());
  return wake;
}
