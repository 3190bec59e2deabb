/**
 * Takes every state of every screen at phone and laptop width, light and dark, around a fake core,
 * under the relay's headers. Fails on axe violations, policy violations, page errors and sideways
 * scrolling.
 *
 *   node test/shots.mjs [--out FOLDER] [--only PREFIX] [--origin HOST]
 *
 * `--origin teacher.lan` takes them on an insecure origin.
 */
import { AxeBuilder } from "@axe-core/playwright";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { buildWithFakeCore } from "./build-fake.mjs";
import { serve } from "./serve.mjs";
import { states } from "./states.mjs";

const { values: options } = parseArgs({
  options: {
    out: { type: "string" },
    only: { type: "string", default: "" },
    origin: { type: "string", default: "localhost" },
  },
});

const WIDTHS = { phone: { width: 390, height: 844 }, laptop: { width: 1280, height: 800 } };
const NARROWEST = 360;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: [
    "--no-sandbox", "--headless=new", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--host-resolver-rules=MAP teacher.lan 127.0.0.1",
  ],
});
const folder = await buildWithFakeCore();
const server = await serve(folder);
const out = options.out ?? mkdtempSync(join(tmpdir(), "undertone-shots-"));
mkdirSync(out, { recursive: true });
const problems = [];

for (const [name, reach] of Object.entries(states)) {
  if (name.startsWith(options.only)) await shoot(name, reach);
}
await browser.close();
server.close();
rmSync(folder, { recursive: true });
console.log(`screenshots: ${out}`);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;

async function shoot(name, reach) {
  for (const [device, viewport] of Object.entries(WIDTHS)) {
    const context = await browser.newContext({ viewport, serviceWorkers: "block", permissions: [] });
    const page = await context.newPage();
    watch(page, `${name} ${device}`);
    try {
      await reach(page, `http://${options.origin}:${server.port}`);
      for (const colorScheme of ["light", "dark"]) await check(page, `${name}-${device}`, colorScheme);
      await checkWidth(page, `${name}-${device}`);
    } catch (error) {
      problems.push(`${name} ${device}: ${error.message}`);
      await page.screenshot({ path: join(out, `${name}-${device}-failed.png`) });
    }
    await context.close();
  }
}

function watch(page, where) {
  page.on("pageerror", (error) => problems.push(`${where}: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(`${where}: ${message.text()}`);
  });
}

async function check(page, name, colorScheme) {
  await page.emulateMedia({ colorScheme });
  await page.waitForTimeout(150);
  await page.screenshot({ path: join(out, `${name}-${colorScheme}.png`), fullPage: true });
  const { violations } = await new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "wcag2aaa", "best-practice"]).analyze();
  for (const { id, nodes } of violations) problems.push(`${name} ${colorScheme}: ${id}: ${nodes[0].html.slice(0, 160)}`);
}

async function checkWidth(page, name) {
  await page.setViewportSize({ width: NARROWEST, height: 740 });
  const extra = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  if (extra > 0) problems.push(`${name}: ${extra} px too wide at ${NARROWEST} px`);
}
