/**
 * Finds the pictures that services bring along and writes `src/generated/panels.ts`.
 *
 * A service is a folder: adding `panel.ts` to it is all that a new picture takes.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const www = join(dirname(fileURLToPath(import.meta.url)), "..");
const services = join(www, "../crate/services/src");
const target = join(www, "src/generated/panels.ts");

/** Names of the services that have a panel, in alphabetical order so that builds are equal. */
export function findPanels(folder = services) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name, "panel.ts")))
    .map((entry) => entry.name)
    .sort();
}

/** The module's text: one lazy import per service. */
export function panelsSource(names, folder = services) {
  const base = relative(dirname(target), folder).split(sep).join("/");
  const rows = names.map((name) => `  "${name}": () => import("${base}/${name}/panel.ts"),`);
  return [
    "// Written by build/panels.mjs from the services' folders. Not kept in git.",
    'import type { PanelModule } from "../parts/panel.ts";',
    "",
    "export const panels: Record<string, () => Promise<PanelModule>> = {",
    ...rows,
    "};",
    "",
  ].join("\n");
}

/** Writes the module if it changed, so that a watching build does not loop. */
export function writePanels() {
  const source = panelsSource(findPanels());
  if (existsSync(target) && readFileSync(target, "utf8") === source) return;
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, source);
}

/** The vite plugin. */
export function panelsPlugin() {
  return { name: "undertone-panels", buildStart: writePanels };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writePanels();
