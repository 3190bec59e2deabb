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

const SEAT = /^#\/room\/([0-9a-f]{16})$/;

/** The fragment of a seat that this browser keeps. Its number says nothing to any other browser. */
export const seatAddress = (seat: string): string => `#/room/${seat}`;

/** The seat of a fragment. */
export function seatOf(fragment: string): string | undefined {
  return SEAT.exec(fragment)?.[1];
}
