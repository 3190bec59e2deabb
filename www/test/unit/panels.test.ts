import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findPanels, panelsSource } from "../../build/panels.mjs";
import { bar } from "../../../crate/services/src/vector-sum/panel.ts";
import { position } from "../../../crate/services/src/mean/panel.ts";

test("a folder with panel.ts is found, others are not", () => {
  const folder = mkdtempSync(join(tmpdir(), "services-"));
  for (const name of ["mean", "histogram", "sum"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "mean/panel.ts"), "");
  writeFileSync(join(folder, "histogram/panel.ts"), "");
  writeFileSync(join(folder, "panel.ts"), "");
  expect(findPanels(folder)).toEqual(["histogram", "mean"]);
  expect(findPanels(join(folder, "absent"))).toEqual([]);
});

test("panels are imported lazily, by the service's name", () => {
  const source = panelsSource(["mean"]);
  expect(source).toContain('"mean": () => import("../../../crate/services/src/mean/panel.ts"),');
  expect(source).not.toMatch(/^import (?!type)/m);
});

test("this project's own panel is found", () => {
  expect(findPanels()).toContain("mean");
});

test("the mean's marker stays on its scale", () => {
  expect(position(0, 0, 10)).toBe(8);
  expect(position(5, 0, 10)).toBe(160);
  expect(position(99, 0, 10)).toBe(312);
  expect(position(1, 1, 1)).toBeUndefined();
});

test("bars start at zero, to the right for sums above it and to the left for those below", () => {
  expect(bar(5, 0, 10)).toEqual({ x: 0, width: 160 });
  expect(bar(10, -10, 10)).toEqual({ x: 160, width: 160 });
  expect(bar(-5, -10, 10)).toEqual({ x: 80, width: 80 });
  expect(bar(0, 0, 0)).toEqual({ x: 0, width: 0 });
});
