/**
 * The messages between a page and its room's worker, and how text crosses.
 *
 * A typed value crosses as UTF-8 bytes in a transferred buffer: it then exists once, where the
 * core wipes it, instead of as a string in two heaps.
 */
import type { CoreErrorData, Notice, QuestionDraft, SeatInfo, ServiceInfo, StoredEntry } from "./contract.ts";

/** The worker's calls: arguments and answer of each. */
export interface Calls {
  services: { args: []; answer: ServiceInfo[] };
  checkQuestion: { args: [draft: QuestionDraft]; answer: void };
  host: { args: [relay: string, draft: QuestionDraft, contribute: boolean, groupMin: number]; answer: SeatInfo };
  join: { args: [relay: string, invite: string]; answer: SeatInfo };
  resume: { args: [relay: string, seat: string, steal: boolean]; answer: SeatInfo };
  takePart: { args: [smallGroup: boolean]; answer: void };
  addUp: { args: [smallGroup: boolean]; answer: void };
  key: { args: []; answer: string };
  checkInput: { args: [text: Uint8Array]; answer: void };
  submit: { args: [text: Uint8Array, number?: number]; answer: void };
  lock: { args: [heads: number, computers: string[]]; answer: void };
  ask: { args: [draft: QuestionDraft]; answer: void };
  stored: { args: [from: number]; answer: StoredEntry[] };
  record: { args: [withKey: boolean]; answer: Uint8Array };
  wake: { args: []; answer: void };
  leave: { args: []; answer: void };
}

export type CallName = keyof Calls;

/** Page to worker. */
export interface Request<K extends CallName = CallName> {
  id: number;
  call: K;
  args: Calls[K]["args"];
}

/** Worker to page. */
export type Reply =
  | { id: number; value: unknown }
  | { id: number; error: CoreErrorData }
  | { notice: Notice };

/** The bytes to transfer with a message: what a person typed, and what the relay stored. */
export function buffersOf(values: readonly unknown[]): ArrayBuffer[] {
  return values
    .filter((value): value is Uint8Array => value instanceof Uint8Array)
    .map((bytes) => bytes.buffer)
    .filter((buffer): buffer is ArrayBuffer => buffer instanceof ArrayBuffer);
}

/** Turns whatever was thrown into the three fields that a page can show. */
export function errorData(thrown: unknown): CoreErrorData {
  if (isErrorData(thrown)) {
    return { code: thrown.code, field: thrown.field ?? null, message: thrown.message };
  }
  // A trap or a failed load: its text is for developers, so only the code travels.
  return { code: "core-stopped", field: null, message: "" };
}

/** A core that dies mid-run cannot say what it had sent, so the worst is assumed. */
export function stopped({ code, message }: CoreErrorData): Notice {
  return { kind: "fault", code, phase: "", seats: [], message, sentAnything: true, roomGoesOn: false };
}

function isErrorData(value: unknown): value is CoreErrorData {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as CoreErrorData).code === "string" &&
    typeof (value as CoreErrorData).message === "string"
  );
}
