/** Participants and hosts on the command line. */
import { Child } from "./child.mjs";
import { UNDERTONE, needs } from "./places.mjs";

/** A process that says what happens as JSON, one object a line. */
export class Native {
  constructor(t, program, args) {
    this.child = new Child(t, program, args);
  }

  /** The first notice of a kind, past or to come, that fits. */
  notice(kind, fits = () => true, ms = 30_000) {
    return this.child.until((line) => {
      const notice = parsed(line);
      return notice?.kind === kind && fits(notice) ? notice : undefined;
    }, `notice "${kind}"`, ms);
  }

  /** The line of one reading of a series, past or to come: a result or a gap. */
  reading(index, ms = 60_000) {
    const isIt = (notice) => (notice?.kind === "reading" || notice?.kind === "gap") && notice.index === index;
    return this.child.until((line) => [parsed(line)].find(isIt), `reading ${index}`, ms);
  }

  /** What became of each reading of a series so far: the first figure or `"gap"`, by number. */
  readings() {
    const all = [...this.notices("reading"), ...this.notices("gap")].sort((a, b) => a.index - b.index);
    return new Map(all.map(({ kind, index, figures }) => [index, kind === "gap" ? kind : figures[0].value]));
  }

  /** All notices of a kind so far. */
  notices(kind) {
    return this.child.lines.map(parsed).filter((notice) => notice?.kind === kind);
  }

  /** The result that all seats signed; `index` counts questions from 0. */
  async result(index = 0) {
    const isSigned = (notice) => notice?.kind === "result" && notice.confirmed === notice.seats;
    let seen = -1;
    // `until` looks at lines in their order, each once.
    return this.child.until((line) => {
      const notice = parsed(line);
      if (isSigned(notice)) seen += 1;
      return isSigned(notice) && seen === index ? notice : undefined;
    }, `signed result ${index}`, 40_000);
  }

  /** The masked values that it says it sent. */
  masked() {
    return this.notices("sent").map((notice) => Buffer.from(notice.masked, "hex"));
  }

  /** Its complaint on the way out. */
  complaint() {
    return this.child.lines.filter(({ stream }) => stream === "err").at(-1)?.text;
  }
}

/** `undertone join --json`. */
export function join(t, invite, args) {
  needs(UNDERTONE, "cargo build --workspace --bin undertone");
  return new Native(t, UNDERTONE, ["join", invite, "--json", ...args]);
}

/** `undertone host --json`, with parameters such as `{ unit: "EUR" }`. */
export function host(t, relay, service, params, args = []) {
  needs(UNDERTONE, "cargo build --workspace --bin undertone");
  const given = Object.entries(params).flatMap(([name, value]) => ["--param", `${name}=${value}`]);
  return new Native(t, UNDERTONE, ["host", "--json", "--relay", relay, "--service", service, ...given, ...args]);
}

function parsed({ stream, text }) {
  if (stream !== "out" || !text.startsWith("{")) return undefined;
  return JSON.parse(text);
}

/** Figures as `{ sum: "12.50", … }`. */
export function figures(notice) {
  return Object.fromEntries(notice.figures.map(({ name, value }) => [name, value]));
}
