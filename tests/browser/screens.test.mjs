/**
 * Every state of the three screens in the real app: no axe violation in light or dark, nothing too
 * wide at 360 px, no error on the console. Leaves pictures of all in `test-results/screens`, at phone
 * and laptop width: to be looked at, not just taken.
 */
import assert from "node:assert/strict";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { AxeBuilder } from "@axe-core/playwright";
import { launch } from "./lib/people.mjs";
import { SCREENS } from "./lib/places.mjs";
import { startRelay } from "./lib/relay.mjs";
import { walk } from "./lib/walk.mjs";

const WIDTHS = { phone: { width: 390, height: 844 }, laptop: { width: 1280, height: 800 } };
const NARROWEST = { width: 360, height: 740 };
const RULES = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "wcag2aaa", "best-practice"];
const STATES = 19;

test("every state of every screen can be used by everybody", { timeout: 150_000 }, async (t) => {
  rmSync(SCREENS, { recursive: true, force: true });
  mkdirSync(SCREENS, { recursive: true });
  const [relay, browser] = await Promise.all([startRelay(t), launch(t)]);
  const problems = [];
  const visited = [];
  const visit = async ({ page }, name) => {
    visited.push(name);
    problems.push(...(await audit(page, name)));
    await shoot(page, name);
  };
  const { people } = await walk(t, { relay, browser, visit });
  assert.deepEqual(problems, []);
  assert.deepEqual(people.flatMap(({ errors }) => errors), []);
  assert.equal(visited.length, STATES, visited.join());
});

async function audit(page, name) {
  const problems = [];
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const { violations } = await new AxeBuilder({ page }).withTags(RULES).analyze();
    for (const { id, nodes } of violations) problems.push(`${name} ${colorScheme}: ${id}: ${nodes[0].html.slice(0, 160)}`);
  }
  await page.setViewportSize(NARROWEST);
  const extra = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  if (extra > 0) problems.push(`${name}: ${extra} px too wide at ${NARROWEST.width} px`);
  return problems;
}

async function shoot(page, name) {
  for (const [device, viewport] of Object.entries(WIDTHS)) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.screenshot({ path: join(SCREENS, `${name}-${device}-${colorScheme}.png`), fullPage: true });
    }
  }
  await page.setViewportSize(WIDTHS.phone);
}
