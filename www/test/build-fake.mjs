/** Builds the page around the fake core into a temporary folder. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, mergeConfig } from "vite";

const here = dirname(fileURLToPath(import.meta.url));

/** Returns the folder of the built page. */
export async function buildWithFakeCore() {
  const { configFor } = await import("../build/config.mjs");
  const outDir = mkdtempSync(join(tmpdir(), "undertone-www-"));
  const config = mergeConfig(configFor(join(here, "fake")), { configFile: false, logLevel: "warn", build: { outDir, emptyOutDir: true } });
  await build(config);
  return outDir;
}
