/** Screens with an address of their own. Invites never hold a slash, so the two cannot be confused. */

/** The fragment of the screen that checks a record. */
export const VERIFY = "#/verify";
/** The fragment of the screen that measures this device. */
export const BENCH = "#/bench";

/** A screen that needs no room. */
export type Aside = "verify" | "bench";

/** The screen of a fragment; none is the start. */
export function asideOf(fragment: string): Aside | undefined {
  return fragment === VERIFY ? "verify" : fragment === BENCH ? "bench" : undefined;
}
