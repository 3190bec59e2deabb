/**
 * What the page and the room's worker say to each other.
 *
 * Numbers that people enter or see are decimal strings: they pass from the field to the core and
 * from the core to the screen without ever being a binary fraction.
 */

/** Where a service's manifest text and limits come from: one row of the registry. */
export interface ServiceInfo {
  name: string;
  title: string;
  summary: string;
  /** The wasm module that holds it, such as `sums`. */
  module: string;
  seatsMin: number;
  seatsMax: number;
  /** Whether a person would choose it; others exist for developers. */
  audience: "people" | "developers";
  params: ParamInfo[];
}

/** One parameter of a service: a field of the form. */
export interface ParamInfo {
  name: string;
  title: string;
  hint: string;
  default: string;
  mode: "text" | "decimal" | "numeric";
  /** Few people need it. */
  rare: boolean;
}

/** A question as typed. The core parses and refuses. */
export interface QuestionDraft {
  service: string;
  question: string;
  /** Seconds from the question to its deadline. */
  deadlineSeconds: string;
  /** Values of the service's parameters, by name. */
  params: Record<string, string>;
  /** For a series: the time between readings, from 250 to 3,600,000. Refused in the field `every`. */
  everyMs?: number;
  /** For a series: how many readings, up to 10,000. Refused in the field `readings`. */
  readings?: number;
}

/** Which reading of a series a question is. Only the first is new to those who take part. */
export interface Series {
  /** From 1. */
  index: number;
  count: number;
  everyMs: number;
}

/** A question that the core accepted, as every seat sees it. */
export interface Question {
  number: number;
  service: string;
  title: string;
  question: string;
  unit: string;
  min: string;
  max: string;
  decimals: number;
  rowsMax: number;
  /** Names of the cells of which each gets a value of its own; empty where an input is one number. */
  cells: string[];
  deadlineSeconds: number;
  params: Record<string, string>;
  /** Null for a question that stands alone. */
  series?: Series | null;
  /** Names of the figures that come out, such as `["sum", "count", "mean"]`, once for each cell. */
  outputs: string[];
}

/** How well the roster is verified, weakest seat first. */
export type Tier = "unverified" | "host-verified";

/** One figure of a result. `value` is exact unless `rounded`. */
export interface Figure {
  name: string;
  /** Which one of several of that name, such as a cell; empty where there is only one. */
  label: string;
  value: string;
  unit: string;
  rounded: boolean;
}

/** How much of its keys a question uses up: the round from 1, of so many. */
export interface KeyMeter {
  round: number;
  rounds: number;
}

/**
 * What the room tells its page. Each notice is a fact, never a question.
 *
 * A reading of a series that ends in a fault is a gap: `number` is its question's, `roomGoesOn` is
 * true, and the next reading comes by itself.
 */
export type Notice =
  | { kind: "link"; up: boolean }
  | { kind: "opened"; invite: string; code: string }
  | { kind: "question"; question: Question; groupMin: number; smallGroup: boolean }
  | { kind: "lobby"; joined: number; byLink: number; byCode: number }
  /** Who offers to add up for the others: their keys in hexadecimal. */
  | { kind: "computers"; offered: string[]; wanted: number }
  | { kind: "joined" }
  | { kind: "locked"; listNumber: number; seats: number }
  | { kind: "ready"; seats: number; contributors: number; breakers: number; tier: Tier; remainingMs: number; keys?: KeyMeter | null }
  | { kind: "progress"; acknowledged: number; sent: number; of: number }
  | { kind: "working"; done: number; of: number }
  | { kind: "sent"; sequence: number; receipt: string; masked: Uint8Array }
  /** The result came about without some of those who add up. */
  | { kind: "leftOut"; wrong: number[]; missing: number[] }
  | { kind: "result"; figures: Figure[]; included: number; confirmed: number; seats: number; contributionIn: boolean; tier: Tier }
  | { kind: "fault"; code: string; phase: string; seats: number[]; message: string; field?: string | null; sentAnything: boolean; roomGoesOn: boolean; number?: number }
  /** Another tab of this browser speaks for this seat, whose number this is. This one says nothing any more. */
  | { kind: "elsewhere"; seat: string }
  /** `kept` says that the seat may be taken up again; otherwise its keys are deleted. */
  | { kind: "closed"; kept?: boolean };

/** What a page knows of its seat when it is taken or taken up again. */
export interface SeatInfo {
  /** The number by which this browser finds it again; empty where the browser keeps nothing. */
  id: string;
  role: "host" | "guest";
  contribute: boolean;
  /** The seat's key, if it adds up for the others. */
  addsUp: string;
  /** Whether it had said something before. */
  tookPart: boolean;
}

/** An entry as the relay stores it, fetched by its place in the log. */
export interface StoredEntry {
  sequence: number;
  kind: string;
  author: string;
  bytes: Uint8Array;
}

/** A seat of a checked record: its public key in hexadecimal, and how it came. */
export interface CheckedSeat {
  author: string;
  contributes: boolean;
  byLink: boolean;
}

/** A question of a checked record. `figures` is null where they could not be computed again. */
export interface CheckedQuestion {
  number: number;
  service: string;
  title: string;
  question: string;
  acknowledged: number;
  sent: number[];
  confirmed: number;
  figures: Figure[] | null;
}

/** What a record shows beyond doubt. */
export interface Verified {
  room: string;
  code: string;
  tier: Tier;
  /** Number of the last list: above 1, silent seats were left out. */
  list: number;
  /** Whether the record holds the room's key. */
  keyed: boolean;
  /** The host's seat. */
  host: number;
  seats: CheckedSeat[];
  questions: CheckedQuestion[];
}

/** The calls a page makes; each returns when the core took it, or throws a `CoreError`. */
export interface RoomClient {
  services(): Promise<ServiceInfo[]>;
  /** Parses a draft; throws the sentence that belongs under the field named in `error.field`. */
  checkQuestion(draft: QuestionDraft): Promise<void>;
  host(relay: string, draft: QuestionDraft, options: { contribute: boolean; groupMin: number }): Promise<SeatInfo>;
  /**
   * Looks into the room of an invite or typed code; nothing is said before `takePart`. A browser that
   * has a seat in that room takes it up again.
   */
  join(relay: string, invite: string): Promise<SeatInfo>;
  /**
   * Takes up a seat that this browser keeps. Fails with `seat-elsewhere` while another tab holds it, unless
   * it is to be taken from there, and with `seat-gone` if it is not kept.
   */
  resume(relay: string, seat: string, options: { steal: boolean }): Promise<SeatInfo>;
  /** Asks for a seat. `smallGroup` is the person's consent to a group of three or four. */
  takePart(options: { smallGroup: boolean }): Promise<void>;
  /** Offers to add up for the others, without giving a value. */
  addUp(options: { smallGroup: boolean }): Promise<void>;
  /** This seat's key in hexadecimal, where some seats add up for others; empty elsewhere. */
  key(): Promise<string>;
  /** Checks a typed value against the current question without sending anything. */
  checkInput(text: string): Promise<void>;
  /**
   * Takes the person's value, for the question of that number or for the current one. It leaves,
   * masked, once every seat has acknowledged. In a series say the number: the next reading may be in
   * force before the call arrives.
   */
  submit(text: string, number?: number): Promise<void>;
  /**
   * Host: closes the door on `heads` people, as counted in the room, and starts. Where seats add up for
   * others, with those whose keys are given, or with all who offer.
   */
  lock(heads: number, computers?: string[]): Promise<void>;
  /** Host: a new question to the same people. */
  ask(draft: QuestionDraft): Promise<void>;
  /** Reads the relay's stored bytes from a place in the log on. */
  stored(from: number): Promise<StoredEntry[]>;
  /** What the room said so far, as the bytes of a record; with the key, whoever has it can read the results. */
  record(withKey: boolean): Promise<Uint8Array>;
  /** The page is back: the connection may have ended unnoticed. */
  wake(): Promise<void>;
  leave(): Promise<void>;
}

/** A refusal by the core: the field it is about where there is one, and a sentence for people. */
export interface CoreErrorData {
  code: string;
  field: string | null;
  message: string;
}
