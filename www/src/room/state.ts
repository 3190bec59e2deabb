/**
 * What this page knows of its room: a pure function of the notices that came.
 */
import type { Figure, Notice, Question, Tier } from "../core/contract.ts";
import { adding } from "./adding.ts";

type Of<K extends Notice["kind"]> = Omit<Extract<Notice, { kind: K }>, "kind">;

/** What became of one reading of a series: its figures, a gap, or nothing yet. */
export interface Reading {
  index: number;
  figures: Figure[] | "gap" | "open";
}

export interface RoomState {
  link: "connecting" | "up" | "down";
  opened: Of<"opened"> | null;
  asked: Of<"question"> | null;
  lobby: Of<"lobby"> | null;
  /** Who offers to add up for the others. */
  computers: Of<"computers"> | null;
  joined: boolean;
  list: Of<"locked"> | null;
  /** `deadlineAt` is on this page's own monotonic clock. */
  ready: (Of<"ready"> & { deadlineAt: number }) | null;
  progress: Of<"progress"> | null;
  /** What this device still has to compute, while it does. */
  working: Of<"working"> | null;
  /** Whether the core took this person's value for the current question. */
  submitted: boolean;
  sent: Of<"sent"> | null;
  /** Of those who add up, without whom the result came. */
  leftOut: Of<"leftOut"> | null;
  result: Of<"result"> | null;
  fault: Of<"fault"> | null;
  closed: boolean;
  /** The room ended for this tab, and its seat may be taken up again. */
  kept: boolean;
  /** Another tab speaks for this seat. */
  elsewhere: boolean;
  /** Of a series: all readings up to the current one, in order. */
  readings: Reading[];
  /** When the next reading of a series is due, on this page's own monotonic clock. */
  nextAt: number;
}

export const initial: RoomState = {
  link: "connecting",
  opened: null,
  asked: null,
  lobby: null,
  computers: null,
  joined: false,
  list: null,
  ready: null,
  progress: null,
  working: null,
  submitted: false,
  sent: null,
  leftOut: null,
  result: null,
  fault: null,
  closed: false,
  kept: false,
  elsewhere: false,
  readings: [],
  nextAt: 0,
};

/** What a new question clears: everything about the run before it, nothing about the people. */
const newRun = { ready: null, progress: null, working: null, submitted: false, sent: null, leftOut: null, result: null, fault: null } as const;

/** The state after a notice that arrived at `now` milliseconds. */
export function reduce(state: RoomState, notice: Notice, now: number): RoomState {
  switch (notice.kind) {
    case "link":
      return { ...state, link: notice.up ? "up" : "down" };
    case "opened":
      return { ...state, opened: notice };
    case "question":
      return { ...state, ...(isNew(state, notice.question) ? newRun : {}), ...series(state, notice.question, now), asked: notice };
    case "lobby":
      return { ...state, lobby: notice };
    case "computers":
      return { ...state, computers: notice };
    case "leftOut":
      return { ...state, leftOut: notice };
    case "joined":
      return { ...state, joined: true };
    case "locked":
      return { ...state, list: notice };
    case "ready":
      return { ...state, ready: { ...notice, deadlineAt: now + notice.remainingMs } };
    case "progress":
      return { ...state, progress: notice };
    case "working":
      return { ...state, working: notice };
    case "sent":
      return { ...state, submitted: true, sent: notice };
    case "result":
      return { ...state, result: notice, readings: became(state, notice.figures) };
    case "fault":
      // A core that died cannot know; the page does know whether a value was ever given to it.
      return {
        ...state,
        fault: { ...notice, sentAnything: notice.sentAnything && state.submitted },
        readings: became(state, "gap"),
      };
    case "closed":
      return { ...state, closed: true, kept: notice.kept === true };
    case "elsewhere":
      return { ...state, elsewhere: true };
  }
}

function isNew(state: RoomState, question: Question): boolean {
  return state.asked !== null && state.asked.question.number !== question.number;
}

/** A reading that is still open when the next one comes is a gap, and so are those never seen here. */
function series(state: RoomState, question: Question, now: number): Pick<RoomState, "readings" | "nextAt"> | null {
  const { series } = question;
  if (!series) return { readings: [], nextAt: 0 };
  if (state.asked && !isNew(state, question)) return null;
  const before = series.index > 1 ? state.readings.filter(({ index }) => index < series.index) : [];
  const readings = before.map((reading): Reading => (reading.figures === "open" ? { ...reading, figures: "gap" } : reading));
  for (let index = readings.length + 1; index < series.index; index++) readings.push({ index, figures: "gap" });
  readings.push({ index: series.index, figures: "open" });
  return { readings, nextAt: now + series.everyMs };
}

/**
 * The current reading has come to this; a result that more seats signed only confirms it. The list is the
 * same one until a reading changes, so that nothing about the others is done again with every notice.
 */
function became({ readings, asked }: RoomState, figures: Figure[] | "gap"): Reading[] {
  const current = readings.at(-1);
  if (!current || current.index !== asked?.question.series?.index) return readings;
  const isNews = current.figures === "open" || (current.figures === "gap" && figures !== "gap");
  return isNews ? [...readings.slice(0, -1), { ...current, figures }] : readings;
}

/** Whether readings of a series are still to come. */
export function goesOn({ asked, closed, fault }: RoomState): boolean {
  const series = asked?.question.series;
  return !!series && series.index < series.count && !closed && fault?.roomGoesOn !== false;
}

/** One name for a whole series once it runs: nobody's focus moves with each reading. */
export function seriesStage(state: RoomState): string | null {
  return state.list && state.readings.length > 0 ? "series" : null;
}

export type HostStage = "opening" | "lobby" | "running" | "done" | "ended" | "closed";

/** Which screen the host sees. */
export function hostStage(state: RoomState): HostStage {
  if (state.result) return "done";
  if (state.fault) return "ended";
  if (state.closed) return "closed";
  if (state.list) return "running";
  return state.opened ? "lobby" : "opening";
}

export type GuestStage = "looking" | "consent" | "answer" | "answered" | "done" | "ended" | "closed";

/** Which screen a participant sees; `agreed` is their tap on *Take part*. */
export function guestStage(state: RoomState, agreed: boolean): GuestStage {
  if (state.result) return "done";
  if (state.fault) return "ended";
  if (state.closed) return "closed";
  if (!state.asked) return "looking";
  if (!agreed) return "consent";
  return state.submitted ? "answered" : "answer";
}

/** Whether this person has done their part: others add up. */
export function mayGo(state: RoomState): boolean {
  return state.sent !== null && adding(state.asked?.question) !== null;
}

/**
 * Whether leaving the page now would lose or spoil something. A seat that is kept comes back; what was typed
 * and has not left does not.
 */
export function underWay(state: RoomState, kept: boolean): boolean {
  if (state.result || state.fault || state.closed || state.elsewhere || mayGo(state)) return false;
  if (kept) return state.submitted && !state.sent;
  return state.submitted || (state.lobby?.joined ?? 0) > 0;
}

/** How many of the run's people have not sent, as far as this device knows. */
export function missing(state: RoomState): number | null {
  return state.progress ? Math.max(0, state.progress.of - state.progress.sent) : null;
}

export type { Figure, Question, Tier };
