/** Where things are. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository. */
export const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** The program under test; `cargo xtask test` says where it is. */
export const UNDERTONE = process.env.UNDERTONE_BIN ?? join(ROOT, "target/debug/undertone");

/** A participant whose pads are zeros. */
export const ZERO_PADS = process.env.UNDERTONE_ZERO_PADS ?? join(dirname(UNDERTONE), "examples/zero_pads");

/** A folder to serve the web app from, while someone else is building the one that is built in. */
export const PAGE = process.env.UNDERTONE_PAGE;

/** The wasm module with its JavaScript. */
export const SUMS = process.env.UNDERTONE_SUMS ?? join(ROOT, "pkg/wasm/sums");

export const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

export const SCREENS = join(ROOT, "test-results/screens");

/** Fails early, with the command that helps. */
export function needs(path, command) {
  if (!existsSync(path)) throw new Error(`${path} is missing: run \`${command}\` first`);
  return path;
}
