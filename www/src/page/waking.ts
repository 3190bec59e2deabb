/**
 * When this device was away: a locked phone, a closed lid, a gap in the network, a page in the background.
 *
 * Its sockets may have died without a word, so whoever has one tests it now. Browsers tell in several
 * ways, and some in none: then a heartbeat notices that time has passed in which it did not beat.
 */

/** How often the heart beats: with the time that a test takes, a dead socket is found within 5 s. */
export const BEAT_MS = 1_500;
/** A beat that comes so much later was not only slow. */
const SLEPT_MS = 3_000;

/** Calls `wake` each time, also several times for one absence. */
export function watchWaking(wake: () => void): void {
  addEventListener("pageshow", wake);
  addEventListener("online", wake);
  document.addEventListener("resume", wake);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") wake();
  });
  let last = Date.now();
  setInterval(() => {
    const now = Date.now();
    if (now - last > SLEPT_MS) wake();
    last = now;
  }, BEAT_MS);
}
