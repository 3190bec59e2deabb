/**
 * A question with cells: three people, one in front of a browser, one on the command line, one with a
 * file. Everyone sees the exact sum of each cell, and what is wrong is said at the field it is wrong in.
 * Leaves pictures in `test-results/screens`.
 */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join as path } from "node:path";
import { test } from "node:test";
import { audit, shoot } from "./lib/look.mjs";
import { join } from "./lib/native.mjs";
import { launch, person } from "./lib/people.mjs";
import { folder, startRelay } from "./lib/relay.mjs";

const CELLS = ["tea", "coffee", "green tea"];
const QUESTION = {
  service: "Sums by cell", text: "How many litres a week?", cells: CELLS.join(", "), unit: "l",
  min: "-1", max: "50", decimals: "2", groupMin: "3",
};
const ADA = ["0.1", "12.25", "-1"];
const INPUT = "0.2;50;0.01";
const COLUMN = ["49.99", "0", "-0.5"];
const SUMS = { [CELLS[0]]: "50.29", [CELLS[1]]: "62.25", [CELLS[2]]: "-1.49" };
const MANY = Array.from({ length: 30 }, (_, i) => `day ${i + 1}`);

test("three people, three cells, exact everywhere", { timeout: 120_000 }, async (t) => {
  const [relay, browser] = await Promise.all([startRelay(t), launch(t)]);
  const [host, ada] = [await person(browser, "host"), await person(browser, "ada")];
  const problems = [];
  const look = async ({ page }, name) => {
    problems.push(...(await audit(page, name)));
    await shoot(page, name);
  };
  const { link } = await host.openRoom(relay.url, QUESTION);
  const natives = [["--input", INPUT], ["--csv", fileOf(t, COLUMN), "--column", "litres"]];
  const programs = natives.map((args) => join(t, link, ["--small-group", ...args]));
  await ada.open(link);
  await ada.text(`Only the sum of each: ${CELLS.join(", ")}.`).waitFor();
  await ada.takePart({ smallGroup: true, field: CELLS[0] });

  await t.test("what is wrong is said at its own field, all of it at once", async () => {
    await ada.answerCells({ [CELLS[0]]: ADA[0], [CELLS[1]]: "a lot" });
    assert.equal(await errorOf(ada, CELLS[1]), "This is not a number. Allowed: -1.00 to 50.00 l, at most 2 decimals.");
    assert.equal(await errorOf(ada, CELLS[2]), "Please enter a number. Allowed: -1.00 to 50.00 l, at most 2 decimals.");
    assert.equal(await ada.field(CELLS[0]).getAttribute("aria-invalid"), null);
    assert.equal(await ada.field(CELLS[1]).evaluate((it) => it === document.activeElement), true, "the first one has the focus");
    await look(ada, "cells-refused");
  });
  await t.test("the sums are exact in browsers and programs", async () => {
    await ada.answerCells(Object.fromEntries(CELLS.map((cell, i) => [cell, ADA[i]])));
    await host.lock(3);
    for (const who of [host, ada]) {
      assert.deepEqual((await who.result(4)).figures, SUMS);
      await look(who, `cells-result-${who.name}`);
    }
    for (const program of programs) {
      const { figures } = await program.result();
      assert.deepEqual(Object.fromEntries(figures.map(({ label, value }) => [label, value])), SUMS);
    }
  });
  await t.test("many cells take a pasted column, and its refusal names the cell", async () => {
    await host.askAgain({ text: "And how often a day?", cells: MANY.join(","), decimals: "0", min: "0", unit: "" });
    await ada.field("Your numbers").fill([...MANY.slice(1).fill("3"), "x"].join("\n"));
    assert.match(await ada.refusal(), /^day 30: This is not a number\./);
    await look(ada, "cells-column");
  });
  assert.deepEqual(problems, []);
  assert.deepEqual([host, ada].flatMap(({ errors }) => errors), []);
});

function fileOf(t, column) {
  const file = path(folder(t), "litres.csv");
  writeFileSync(file, ["what,litres", ...column.map((value, i) => `${CELLS[i]},${value}`)].join("\n") + "\n");
  return file;
}

/** What stands under a field, tied to it for screen readers. */
async function errorOf(who, name) {
  const ids = (await who.field(name).getAttribute("aria-describedby")).split(" ");
  const error = who.page.locator(`#${ids.at(-1)}:not(:empty)`);
  await error.waitFor();
  return error.innerText();
}
