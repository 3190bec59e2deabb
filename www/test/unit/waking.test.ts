import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BEAT_MS, watchWaking } from "../../src/page/waking.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A page without a browser: its events, and how often it was woken. */
function page(): { woken: () => number; tell(event: string, visible?: boolean): void } {
  const [target, document] = [new EventTarget(), Object.assign(new EventTarget(), { visibilityState: "visible" })];
  vi.stubGlobal("addEventListener", target.addEventListener.bind(target));
  vi.stubGlobal("document", document);
  const wake = vi.fn();
  watchWaking(wake);
  const tell = (name: string, visible = true): void => {
    document.visibilityState = visible ? "visible" : "hidden";
    target.dispatchEvent(new Event(name));
    document.dispatchEvent(new Event(name));
  };
  return { woken: () => wake.mock.calls.length, tell };
}

test("coming back in whatever way wakes, and going away does not", () => {
  const { woken, tell } = page();
  for (const name of ["pageshow", "online", "resume", "visibilitychange"]) tell(name);
  expect(woken()).toBe(4);
  tell("visibilitychange", false);
  expect(woken()).toBe(4);
});

test("a device that slept without saying so is found out by the next beat", () => {
  const { woken } = page();
  vi.advanceTimersByTime(20 * BEAT_MS);
  expect(woken()).toBe(0);
  vi.setSystemTime(Date.now() + 60_000);
  vi.advanceTimersByTime(BEAT_MS);
  expect(woken()).toBe(1);
  vi.advanceTimersByTime(20 * BEAT_MS);
  expect(woken()).toBe(1);
});
