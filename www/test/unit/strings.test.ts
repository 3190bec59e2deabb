import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { catalogues } from "../../src/strings/index.ts";

type Leaf = [path: string, value: unknown];

function leaves(value: unknown, path: string): Leaf[] {
  if (typeof value !== "object" || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, path ? `${path}.${key}` : key));
}

function sources(folder: string): string {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries
    .map((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return entry.name === "strings" ? "" : sources(path);
      return path.endsWith(".ts") ? readFileSync(path, "utf8") : "";
    })
    .join("\n");
}

const paths = (catalogue: unknown): string[] => leaves(catalogue, "").map(([path]) => path).sort();

test("every language has every sentence", () => {
  for (const catalogue of Object.values(catalogues)) expect(paths(catalogue)).toEqual(paths(catalogues.en));
});

test("no sentence is empty", () => {
  for (const catalogue of Object.values(catalogues)) {
    for (const [path, value] of leaves(catalogue, "")) {
      const text = typeof value === "function" ? "function" : String(value).trim();
      expect(text, path).not.toBe("");
    }
  }
});

/** Looked up by a name that only exists at run time: a stage, a service, a figure. */
const BY_NAME = ["ask.services", "ask.params", "join.outputs", "result.figures", "result.tier", "verify.uncheckedList"];
const BY_STAGE = ["room", "join"];

test("every sentence is used", () => {
  const text = sources(join(import.meta.dirname, "../../src"));
  const unused = paths(catalogues.en).filter((path) => {
    const [section = "", key = ""] = path.split(".");
    const stage = BY_STAGE.includes(section) && text.includes(`"${key}"`);
    return !stage && !BY_NAME.includes(`${section}.${key}`) && !new RegExp(`\\b${section}\\.${key}\\b`).test(text);
  });
  expect(unused).toEqual([]);
});
