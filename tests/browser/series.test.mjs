/**
 * A series with keys that are renewed on the way: a host and others in terminals, each with a file of its
 * rows, and people whose tabs answer from a file. Somebody has nothing to give for two of the readings;
 * those are gaps for all. Leaves pictures in `test-results/screens`.
 *
 * Ten readings of seven seats, or five hundred of 23 with `UNDERTONE_FULL=1`, which also says what a
 * reading costs early and late.
 */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join as path } from "node:path";
import { test } from "node:test";
import { Costs } from "./lib/cost.mjs";
import { audit, shoot, sideways } from "./lib/look.mjs";
import { host as hostNative, join } from "./lib/native.mjs";
import { launch, person } from "./lib/people.mjs";
import { folder, startRelay } from "./lib/relay.mjs";

const FULL = process.env.UNDERTONE_FULL === "1";
const [NATIVES, READINGS, EVERY_MS] = FULL ? [20, 500, 1500] : [4, 10, 1500];
/** Who has nothing to give for which reading: a program and a tab. */
const [NO_ROW, NO_LINE] = FULL ? [100, 300] : [4, 7];
/** A phone, a laptop, and the narrowest phone there is. */
const TABS = [{ width: 390, height: 844 }, { width: 1280, height: 800 }, { width: 360, height: 740 }];
const SEATS = NATIVES + TABS.length;
const UNIT = "Wh";
/** What comes late on a busy machine is a gap: for all, and never a wrong sum. */
const LATE_MAX = READINGS / 10;
/** The table shows so many. */
const ROWS_MAX = 200;

const all = Array.from({ length: READINGS }, (_, i) => i + 1);
const value = (seat, reading) => 1_000 * seat + ((reading * 7) % 100);
const sum = (reading) => Array.from({ length: SEATS }, (_, seat) => value(seat, reading)).reduce((a, b) => a + b);

test("every sum of a series is right in tabs and terminals, and what is missing is a gap", { timeout: 60_000 + READINGS * EVERY_MS * 2 }, async (t) => {
  const [relay, browser] = await Promise.all([startRelay(t, { taps: false }), launch(t)]);
  const series = ["--every", `${EVERY_MS}ms`, "--readings", String(READINGS), "--people", String(SEATS)];
  const asks = ["--question", "How much did you use?", ...series, ...rows(t, 0)];
  const host = hostNative(t, relay.url, "pcl", { unit: UNIT, max: "1000000" }, asks);
  const { invite } = await host.notice("opened");
  const people = await Promise.all(TABS.map((viewport, i) => person(browser, `tab ${i}`, { viewport })));
  for (const [i, who] of people.entries()) await follow(who, invite, NATIVES + i);
  const guests = all.slice(1, NATIVES).map((_, i) => join(t, invite, rows(t, i + 1)));
  const programs = [host, ...guests];
  const seen = new Map(people.map((who) => [who, new Map()]));
  const costs = new Costs({ browser, pids: [...programs, relay].map(({ child }) => child.pid) });

  const problems = [];
  const began = performance.now();
  for (const reading of all) {
    await host.reading(reading);
    await costs.note(reading);
    for (const [who, known] of seen) if (reading % (ROWS_MAX / 2) === 0) await read(who, known);
    if (!FULL && reading === READINGS / 2) await shoot(people[0].page, "series-running");
    if (reading % Math.ceil(READINGS / 4) === 0) problems.push(...(await Promise.all(people.map(isWide))).flat());
  }
  const seconds = Math.round((performance.now() - began) / 1000);
  await Promise.all(people.map((who) => who.text(`All ${READINGS} readings are over.`).waitFor()));

  const readings = host.readings();
  const late = all.filter((reading) => readings.get(reading) === "gap" && reading !== NO_ROW && reading !== NO_LINE);
  const lives = host.notices("reading").filter(({ keys }) => keys.round === 1).length;
  const sums = all.filter((reading) => readings.get(reading) !== "gap").length;
  t.diagnostic(`${SEATS} seats, ${sums} of ${READINGS} readings with a sum in ${seconds} s, ${lives} lives of keys, late: ${late.join() || "none"}`);
  costs.lines().forEach((line) => t.diagnostic(line));

  await t.test("every sum is that of the rows, and both readings without one are gaps, in every terminal", () => {
    const right = new Map(all.map((reading) => [reading, readings.get(reading) === "gap" ? "gap" : String(sum(reading))]));
    assert.deepEqual([right.get(NO_ROW), right.get(NO_LINE)], ["gap", "gap"]);
    for (const program of programs) assert.deepEqual(program.readings(), right, program.child.name);
    assert.ok(late.length <= LATE_MAX, `${late.length} readings came late`);
    assert.ok(lives >= 2, "keys were renewed");
  });
  await t.test("the same stands in every tab's table", async () => {
    const right = new Map(all.map((reading) => [reading, readings.get(reading) === "gap" ? "missing" : `${sum(reading)} ${UNIT}`]));
    for (const who of people) {
      await read(who, seen.get(who));
      const known = seen.get(who);
      assert.deepEqual(known, new Map([...right].filter(([reading]) => known.has(reading))), who.name);
      assert.ok(known.size >= Math.min(READINGS, ROWS_MAX), who.name);
    }
    assert.equal(seen.get(people[0]).size, READINGS);
  });
  await t.test("the line has a point for each sum, and none where there is a gap", async () => {
    for (const who of people) assert.equal(await isCut(who), false, `${who.name}: a label is cut off`);
    // A gap among hundreds of readings is narrower than a pixel.
    if (FULL) return;
    for (const who of people) assert.deepEqual(await inked(who), all.filter((reading) => readings.get(reading) !== "gap"), who.name);
  });
  await t.test("the meter of keys counts down and begins anew", async () => {
    for (const who of people) {
      const told = await who.page.evaluate(() => globalThis.meter);
      const [, rounds] = told[0].split("/").map(Number);
      const next = (left) => (left === 0 ? rounds - 1 : left - 1);
      // Between two looks a reading may have come and gone; whoever looks every few milliseconds misses few.
      const steps = told.slice(1).filter((text, i) => Number(text.split("/")[0]) === next(Number(told[i].split("/")[0])));
      assert.ok(told.every((text) => text.endsWith(`/${rounds}`)) && steps.length >= (told.length - 1) * 0.8, `${who.name}: ${told}`);
      assert.ok(told.filter((text) => text === `${rounds - 1}/${rounds}`).length >= 2, `${who.name}: ${told}`);
    }
  });
  await t.test("nobody has to scroll sideways, and everybody can use it", async () => {
    await shoot(people[0].page, "series-over");
    assert.deepEqual([...problems, ...(await audit(people[0].page, "series-over"))], []);
    assert.deepEqual(people.flatMap(({ errors }) => errors), []);
  });
  assert.deepEqual(await Promise.all(programs.map(({ child }) => child.exit())), programs.map(() => 0));
});

/** A program's rows, as arguments. */
function rows(t, seat) {
  const file = path(folder(t), `${seat}.csv`);
  const row = (reading) => `${reading},${seat === 2 && reading === NO_ROW ? "" : value(seat, reading)}\n`;
  writeFileSync(file, `reading,use\n${all.map(row).join("")}`);
  return ["--follow", file, "--column", "use"];
}

/** A tab takes part, and answers from its file. The last one looks at no table until the end. */
async function follow(who, invite, seat) {
  await who.comeByLink(invite);
  const last = seat === SEATS - 1;
  const line = (reading) => (seat === NATIVES && reading === NO_LINE ? "" : value(seat, reading));
  if (!last) await openTable(who);
  await who.text("Answer every reading from a file").click();
  const file = { name: "use.csv", mimeType: "text/csv", buffer: Buffer.from(`use\n${all.map(line).join("\n")}\n`) };
  await who.page.getByLabel("File with one number on each line").setInputFiles(file);
  await who.text("more readings will be answered from the file").waitFor();
  await who.page.evaluate(() => {
    const told = (globalThis.meter = []);
    setInterval(() => {
      const meter = document.querySelector("#series-keys");
      const text = meter ? `${meter.value}/${meter.max}` : undefined;
      if (text && text !== told.at(-1)) told.push(text);
    }, 20);
  });
}

const openTable = (who) => who.text("The readings as a table").click();

/** What the table shows, added to what was known. */
async function read(who, known) {
  const cells = who.page.locator("td[data-reading]");
  if (who.name === `tab ${TABS.length - 1}` && known.size === 0 && !(await cells.count())) {
    if (!(await who.text("readings are over.").count())) return;
    await openTable(who);
    await cells.first().waitFor();
  }
  const found = await cells.evaluateAll((cells) => cells.map((cell) => [Number(cell.dataset.reading), cell.textContent]));
  for (const [reading, text] of found) if (text !== "under way") known.set(reading, text);
}

async function isWide(who) {
  const extra = await sideways(who.page);
  return extra > 0 ? [`${who.name}: ${extra} px too wide`] : [];
}

/** Whether something is drawn at the left edge of the chart, where labels would lose their first digit. */
function isCut(who) {
  return who.page.evaluate(() => {
    const canvas = document.querySelector(".chart canvas");
    const { data } = canvas.getContext("2d").getImageData(0, 0, 2, canvas.height);
    return data.some((part) => part > 0);
  });
}

/** The readings in whose place in the chart something is drawn. */
async function inked(who) {
  await who.settle();
  const drawn = await who.page.evaluate((count) => {
    const [canvas, over] = [document.querySelector(".chart canvas"), document.querySelector(".chart .u-over")];
    const [outer, plot] = [canvas, over].map((it) => it.getBoundingClientRect());
    const context = canvas.getContext("2d");
    context.fillStyle = getComputedStyle(canvas).getPropertyValue("--accent").trim();
    const accent = [1, 3, 5].map((at) => parseInt(context.fillStyle.slice(at, at + 2), 16));
    const isInk = (pixels, at) => pixels[at + 3] > 200 && accent.every((part, i) => Math.abs(pixels[at + i] - part) < 24);
    return Array.from({ length: count }, (_, i) => {
      const x = plot.left - outer.left + ((i + 0.5) / count) * plot.width;
      const { data } = context.getImageData(Math.round((x / outer.width) * canvas.width), 0, 1, canvas.height);
      return Array.from({ length: canvas.height }, (_, y) => y * 4).some((at) => isInk(data, at));
    });
  }, READINGS);
  return all.filter((_, i) => drawn[i]);
}
