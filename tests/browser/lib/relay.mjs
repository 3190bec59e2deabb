/** The real relay, with everything that it sees written down. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Child } from "./child.mjs";
import { PAGE, UNDERTONE, needs } from "./places.mjs";
import { readTap } from "./tap.mjs";

/** A folder of this test, gone after it. */
export function folder(t) {
  const path = mkdtempSync(join(tmpdir(), "undertone-e2e-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Starts `undertone serve` on a free port of the loopback interface. Without taps nothing is written down. */
export async function startRelay(t, { taps = true } = {}) {
  needs(UNDERTONE, "cargo build --workspace --bin undertone");
  const tap = join(folder(t), "tap.txt");
  const page = PAGE ? ["--page", PAGE] : [];
  const child = new Child(t, UNDERTONE, ["serve", "--listen", "127.0.0.1:0", ...(taps ? ["--tap", tap] : []), ...page]);
  const url = await child.until(({ text }) => text.match(/is at (http\S+)/)?.[1], "address");
  const { port } = new URL(url);
  return {
    url,
    port,
    child,
    /** Where it writes down what it sees. */
    tap,
    stop: () => child.stop(),
    /** Every frame so far, in both directions. */
    frames: () => readTap(readFileSync(tap, "utf8")),
  };
}
