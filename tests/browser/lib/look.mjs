/** Looks at a page as people and machines do: pictures, accessibility, width. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import { SCREENS } from "./places.mjs";

const WIDTHS = { phone: { width: 390, height: 844 }, laptop: { width: 1280, height: 800 } };
const NARROWEST = { width: 360, height: 740 };
const RULES = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "wcag2aaa", "best-practice"];
/** All that can differ in the dark. */
const COLOURS = ["color-contrast", "color-contrast-enhanced"];

const USUAL = { phone: "light", laptop: "dark" };
const EVERY_PICTURE = process.env.UNDERTONE_FULL === "1";

/** What axe has against it in light and dark, and how far it sticks out of the narrowest phone. */
export async function audit(page, name) {
  const problems = [];
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const runOnly = colorScheme === "light" ? { type: "tag", values: RULES } : { type: "rule", values: COLOURS };
    for (const { id, html } of await violations(page, runOnly)) problems.push(`${name} ${colorScheme}: ${id}: ${html}`);
  }
  await page.setViewportSize(NARROWEST);
  const extra = await sideways(page);
  if (extra > 0) problems.push(`${name}: ${extra} px too wide at ${NARROWEST.width} px`);
  await page.setViewportSize(WIDTHS.phone);
  return problems;
}

/** By how many pixels a page is too wide for its window. */
export function sideways(page) {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** The page is one document without frames, so axe runs in it as it is, and is loaded once. */
async function violations(page, runOnly) {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe.source);
  return page.evaluate(async (runOnly) => {
    const { violations } = await globalThis.axe.run(document, { runOnly, resultTypes: ["violations"] });
    return violations.map(({ id, nodes }) => ({ id, html: nodes[0].html.slice(0, 160) }));
  }, runOnly);
}

/** Pictures at phone and laptop width, light and dark; in the usual run one of each width. */
export async function shoot(page, name) {
  mkdirSync(SCREENS, { recursive: true });
  for (const [device, viewport] of Object.entries(WIDTHS)) {
    await page.setViewportSize(viewport);
    for (const colorScheme of EVERY_PICTURE ? ["light", "dark"] : [USUAL[device]]) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.screenshot({ path: join(SCREENS, `${name}-${device}-${colorScheme}.png`), fullPage: true });
    }
  }
  await page.setViewportSize(WIDTHS.phone);
}
