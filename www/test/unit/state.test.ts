import { expect, test } from "vitest";
import type { Notice, Question } from "../../src/core/contract.ts";
import { adding } from "../../src/room/adding.ts";
import { announcement } from "../../src/room/announce.ts";
import { goesOn, guestStage, hostStage, initial, mayGo, missing, reduce, seriesStage, underWay, type RoomState } from "../../src/room/state.ts";

const question = (number: number): Notice => ({
  kind: "question",
  question: { number, service: "sum", question: "How many?" } as Question,
  groupMin: 5,
  smallGroup: false,
});
const opened: Notice = { kind: "opened", invite: "u1", code: "a b c d" };
const lobby: Notice = { kind: "lobby", joined: 7, byLink: 7, byCode: 0 };
const locked: Notice = { kind: "locked", listNumber: 1, seats: 7 };
const ready: Notice = { kind: "ready", seats: 7, contributors: 7, breakers: 6, tier: "unverified", remainingMs: 5000 };
const progress = (sent: number): Notice => ({ kind: "progress", acknowledged: 7, sent, of: 7 });
const sent: Notice = { kind: "sent", sequence: 3, receipt: "ab", masked: Uint8Array.of(1) };
const result: Notice = {
  kind: "result",
  figures: [{ name: "sum", label: "", value: "12.5", unit: "EUR", rounded: false }],
  included: 7,
  confirmed: 7,
  seats: 7,
  contributionIn: true,
  tier: "unverified",
};
const fault: Notice = { kind: "fault", code: "missing", phase: "masked", seats: [], message: "Late.", sentAnything: true, roomGoesOn: true };

const after = (...notices: Notice[]): RoomState => notices.reduce((state, notice) => reduce(state, notice, 1000), initial);

test("the host goes from lobby to result, and asks again with the same people", () => {
  expect(hostStage(after())).toBe("opening");
  expect(hostStage(after(opened, question(1), lobby))).toBe("lobby");
  expect(hostStage(after(opened, question(1), lobby, locked))).toBe("running");
  const done = after(opened, question(1), lobby, locked, ready, progress(7), result);
  expect(hostStage(done)).toBe("done");
  const again = reduce(done, question(2), 1000);
  expect(hostStage(again)).toBe("running");
  expect(again).toMatchObject({ result: null, ready: null, progress: null, submitted: false, list: { seats: 7 } });
});

test("what a device still computes is known until the next question", () => {
  const working: Notice = { kind: "working", done: 3, of: 12 };
  const reading = after(opened, question(1), lobby, locked, ready, progress(7), working);
  expect(reading.working).toMatchObject({ done: 3, of: 12 });
  expect(hostStage(reading)).toBe("running");
  expect(reduce(reading, question(2), 1000).working).toBeNull();
});

test("a participant agrees once and answers every question", () => {
  expect(guestStage(after(), false)).toBe("looking");
  expect(guestStage(after(question(1)), false)).toBe("consent");
  expect(guestStage(after(question(1)), true)).toBe("answer");
  expect(guestStage(after(question(1), locked, sent), true)).toBe("answered");
  expect(guestStage(after(question(1), locked, sent, question(2)), true)).toBe("answer");
  expect(guestStage(after(question(1), fault), true)).toBe("ended");
});

test("the same question told twice clears nothing", () => {
  expect(after(question(1), sent, question(1)).sent).not.toBeNull();
});

test("deadlines are on the page's own clock", () => {
  expect(after(ready).ready?.deadlineAt).toBe(6000);
});

test("a fault says that something left only if a value was given", () => {
  expect(after(question(1), fault).fault?.sentAnything).toBe(false);
  expect(after(question(1), sent, fault).fault?.sentAnything).toBe(true);
});

test("who is missing is a count", () => {
  expect(missing(after(question(1)))).toBeNull();
  expect(missing(after(question(1), progress(4)))).toBe(3);
});

test("leaving is worth a warning only while something is under way", () => {
  const warns = (kept: boolean, ...notices: Notice[]): boolean => underWay(after(...notices), kept);
  expect([warns(false, opened), warns(false, opened, lobby), warns(false, opened, lobby, result)]).toEqual([false, true, false]);
  expect(underWay({ ...after(question(1), lobby), submitted: true }, true)).toBe(true);
  expect([warns(true, opened, lobby), warns(true, question(1), lobby, sent)]).toEqual([false, false]);
});

test("another tab has the seat, or the room ended and the seat is kept", () => {
  expect(reduce(after(opened, lobby), { kind: "elsewhere", seat: "ab" }, 0).elsewhere).toBe(true);
  expect(underWay(after(opened, lobby, { kind: "elsewhere", seat: "ab" }), false)).toBe(false);
  expect([after({ kind: "closed" }).kept, after({ kind: "closed", kept: true }).kept]).toEqual([false, true]);
});

test("a screen reader hears facts, each once", () => {
  const before = after(question(1), locked, ready, progress(6));
  expect(announcement(before, reduce(before, progress(7), 0))).toContain("Nobody is missing");
  expect(announcement(before, before)).toBeNull();
  expect(announcement(before, reduce(before, result, 0))).toBe("Result: Sum 12.5 EUR.");
  const shown = reduce(before, result, 0);
  expect(announcement(shown, reduce(shown, result, 0))).toBeNull();
  expect(announcement(before, reduce(before, fault, 0))).toBe("Late.");
  const down = reduce(before, { kind: "link", up: true }, 0);
  expect(announcement(down, reduce(down, { kind: "link", up: false }, 0))).toContain("Connection lost");
});

test("where a few seats add up, people may go once their entry is acknowledged, and not before", () => {
  const shares = { ...(question(1) as Extract<Notice, { kind: "question" }>) };
  shares.question = { ...shares.question, service: "shares", params: { scheme: "shamir", computers: "5", threshold: "3" } };
  expect(adding(shares.question)).toEqual({ computers: 5, enough: 3 });
  expect(adding({ ...shares.question, params: {} })).toEqual({ computers: 3, enough: 3 });
  expect(adding((question(1) as Extract<Notice, { kind: "question" }>).question)).toBeNull();
  expect([mayGo(after(shares)), mayGo(after(shares, sent)), mayGo(after(question(1), sent))]).toEqual([false, true, false]);
  expect([underWay(after(shares, lobby, sent), false), underWay(after(question(1), lobby, sent), false)]).toEqual([false, true]);
  const computers: Notice = { kind: "computers", offered: ["ab", "cd"], wanted: 3 };
  expect(after(shares, computers).computers).toMatchObject({ wanted: 3 });
  const leftOut: Notice = { kind: "leftOut", wrong: [4], missing: [] };
  expect(after(shares, leftOut, result).leftOut).toMatchObject({ wrong: [4] });
  expect(after(shares, leftOut, question(2)).leftOut).toBeNull();
});

const reading = (number: number, index: number): Notice => ({
  ...question(number),
  kind: "question",
  question: { number, service: "sum", question: "How warm?", series: { index, count: 4, everyMs: 60_000 } } as Question,
  groupMin: 5,
  smallGroup: false,
});
const outcomes = (state: RoomState): string[] => state.readings.map(({ figures }) => (typeof figures === "string" ? figures : "in"));

test("a series keeps its readings, and a missing one is a gap", () => {
  const one = after(reading(1, 1), locked, ready, result);
  expect(outcomes(one)).toEqual(["in"]);
  const two = reduce(one, reading(2, 2), 1000);
  expect([outcomes(two), two.nextAt, seriesStage(two)]).toEqual([["in", "open"], 61_000, "series"]);
  const failed = reduce(two, fault, 1000);
  expect([outcomes(failed), goesOn(failed)]).toEqual([["in", "gap"], true]);
  const four = reduce(reduce(failed, reading(3, 3), 1000), reading(4, 4), 1000);
  expect([outcomes(four), goesOn(four)]).toEqual([["in", "gap", "gap", "open"], false]);
});

test("a result that more seats signed, or that a fault follows, stays a result", () => {
  expect(outcomes(after(reading(1, 1), result, result, fault))).toEqual(["in"]);
});

test("the list of readings is a new one only if a reading changed", () => {
  const two = after(reading(1, 1), result, reading(2, 2));
  const signed = reduce(two, result, 1000);
  expect(signed.readings).not.toBe(two.readings);
  for (const notice of [ready, progress(3), sent, result, fault]) expect(reduce(signed, notice, 1000).readings).toBe(signed.readings);
  const gap = reduce(two, fault, 1000);
  expect([reduce(gap, fault, 1000).readings === gap.readings, outcomes(reduce(gap, result, 1000))]).toEqual([true, ["in", "in"]]);
});

test("whoever comes late sees the readings before as gaps, and another question ends the series", () => {
  expect(outcomes(after(reading(1, 3)))).toEqual(["gap", "gap", "open"]);
  expect(outcomes(after(reading(1, 1), result, question(2)))).toEqual([]);
});
