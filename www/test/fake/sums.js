/**
 * A stand-in for the wasm module that plays scripted rooms: for screenshots and tests of the page.
 * It masks nothing and is never part of a build that ships.
 *
 * An invite or question may name where the script stops: `stop-lobby`, `stop-agreeing`,
 * `stop-progress`, `stop-link`; `fault` ends the run, `small` is a small group, `bad` cannot be found;
 * `cells` asks for three numbers and `column` for forty. `series` is in the middle of a series, `long` is
 * a series of hundreds, `gap` has a reading without a sum, and `end` is over. `shares` has three seats that
 * add up for the others, `many` are more of them than wanted, and `odd` is a result without all of them.
 */

const SEATS = 7;
const TICK_MS = 120;

export default async function init() {}

export function services() {
  const param = (name, title, hint, initial, mode, rare = false) => ({ name, title, hint, default: initial, mode, rare });
  const params = [
    param("unit", "Unit", "EUR, minutes, kg", "", "text"),
    param("decimals", "Decimals", "After the point", "0", "numeric"),
    param("min", "Lowest value", "", "0", "decimal"),
    param("max", "Highest value", "", "100", "decimal"),
    param("rows_max", "Most values per person", "1 for people.", "1", "numeric", true),
  ];
  const row = { module: "sums", seatsMin: 3, seatsMax: 1000, audience: "people", params };
  const cells = param("cells", "Cells", "Names with commas between them", "Yes, No", "text");
  return [
    { ...row, name: "mean", title: "Average", summary: "The average of all values." },
    { ...row, name: "sum", title: "Sum", summary: "The total of all values." },
    { ...row, name: "vector-sum", title: "Sums by cell", summary: "The total of each cell.", params: [cells, ...params.slice(0, 4)] },
    { ...row, name: "shares", module: "shares", title: "Sum by shares", summary: "The total, with people who may go.", params: params.slice(0, 4) },
  ];
}

export function check_question(draft) {
  const { params } = draft;
  const refuse = (field, message) => {
    throw { code: "bad-plan", field, message };
  };
  if (draft.question.trim() === "") refuse("question", "Type a question. Nothing left this device.");
  if (!isDecimal(params.min)) refuse("min", "The lowest value has to be a number such as 0 or -12.5.");
  if (!isDecimal(params.max)) refuse("max", "The highest value has to be a number such as 300.");
  if (Number(params.min) >= Number(params.max)) refuse("max", "The highest value has to be above the lowest.");
  if (!/^\d$/.test(params.decimals)) refuse("decimals", "Decimals can be 0 to 6.");
  if (!(Number(draft.deadlineSeconds) >= 10)) refuse("deadline_seconds", "Allow at least 10 seconds.");
}

/** What the real core asks of the seat's ledger. */
async function sit(ledger, room, taking = []) {
  await ledger.open(Uint8Array.from(room), new Uint8Array(32).fill(7));
  for (const place of taking) await ledger.add(place, Uint8Array.of(1));
}

export class Room {
  static async host(_relay, draft, contribute, groupMin, _secure, ledger) {
    await sit(ledger, [], ["entry/00000000"]);
    const room = new Room(draft.question, contribute, "host");
    room.push({ kind: "link", up: true });
    room.push({ kind: "opened", invite: "u1-9fK2mQ7xVtB4nR8sLw3pZc6yHd5gJa1eUo0iTbXkEqM", code: "copper lantern seven river" });
    room.question(draft, groupMin);
    void room.fill();
    return room;
  }

  static async join(_relay, invite, _secure, ledger) {
    await sleep(TICK_MS);
    if (invite === "bad") throw { code: "no-room", field: null, message: "There is no room with this code. Check the four words." };
    const name = new TextEncoder().encode(invite);
    await sit(ledger, name);
    return Room.look(invite, ledger);
  }

  static async resume(_relay, name, _secure, ledger) {
    await sit(ledger, name);
    const room = Room.look(new TextDecoder().decode(name), ledger);
    if (room.stops("lost")) return room.lose();
    void room.take_part();
    return room;
  }

  static look(invite, ledger) {
    const room = new Room(invite, true, "guest");
    room.ledger = ledger;
    room.push({ kind: "link", up: true });
    room.question(draftOf(invite), invite.includes("small") ? 3 : 5);
    return room;
  }

  /** The relay cannot be reached, and nobody waits for a deadline. */
  lose() {
    const message = "The relay cannot be reached.";
    this.push({ kind: "fault", code: "link-lost", phase: "join", seats: [], message, sentAnything: false, roomGoesOn: false });
    this.push({ kind: "closed" });
    return this;
  }

  async take_part() {
    await this.ledger?.add("entry/00000000", Uint8Array.of(1));
    this.push({ kind: "joined" });
    if (this.script.includes("series")) return void this.past(this.script.includes("long") ? 480 : this.script.includes("end") ? COUNT : 9);
    this.push({ kind: "lobby", joined: SEATS, byLink: SEATS, byCode: 0 });
    if (!this.stops("lobby")) setTimeout(() => void this.run(), TICK_MS * 3);
  }

  async add_up() {
    this.contribute = false;
    this.sent = true;
    await this.take_part();
  }

  key() {
    return KEYS[0];
  }

  constructor(script, contribute, role) {
    Object.assign(this, { script, contribute, role, notices: [], waiting: null, number: 0, draft: null, sent: false });
  }

  stops(where) {
    return this.script.includes(`stop-${where}`);
  }

  push(notice) {
    if (this.waiting) this.waiting(notice);
    else this.notices.push(notice);
    this.waiting = null;
  }

  next() {
    const notice = this.notices.shift();
    return notice ? Promise.resolve(notice) : new Promise((resolve) => (this.waiting = resolve));
  }

  question(draft, groupMin, index = 1) {
    this.draft = draft;
    this.sent = false;
    const { service, question, params } = draft;
    const { unit, min, max } = params;
    const outputs = { mean: ["mean", "count", "sum"], shares: ["sum", "people"] }[service] ?? ["sum"];
    this.cells = cellsOf(draft);
    const row = { number: ++this.number, service, title: service, question, unit, min, max, decimals: Number(params.decimals), params };
    const limits = { rowsMax: Number(params.rows_max ?? 1), cells: this.cells, deadlineSeconds: Number(draft.deadlineSeconds), outputs };
    const series = this.script.includes("series") ? { index, count: this.script.includes("long") ? 500 : COUNT, everyMs: 1_800_000 } : null;
    this.push({ kind: "question", question: { ...row, ...limits, series }, groupMin, smallGroup: groupMin < 5 });
  }

  /** Readings that are over, the third of them a gap; then one that is under way. */
  past(count) {
    this.push({ kind: "locked", listNumber: 1, seats: SEATS });
    for (let index = 1; index <= count; index++) {
      if (index > 1) this.question(this.draft, 5, index);
      this.push(this.ready(index));
      const isGap = index === 3 || index % 90 === 0 || (index === count && this.script.includes("gap"));
      if (isGap) this.fault();
      else if (index < count || this.script.includes("end")) this.push(this.result(String(levelAt(index))));
    }
    if (this.script.includes("end")) this.push({ kind: "closed" });
    else this.push({ kind: "progress", acknowledged: SEATS, sent: 4, of: SEATS });
  }

  ready(index) {
    const remainingMs = Number(this.draft.deadlineSeconds) * 1000;
    const keys = this.script.includes("series") ? { round: ((index - 1) % 6) + 1, rounds: 6 } : null;
    return { kind: "ready", seats: SEATS, contributors: SEATS, breakers: SEATS - 1, tier: this.tier(), remainingMs, keys };
  }

  async fill() {
    for (let joined = 0; joined <= SEATS; joined++) {
      this.push({ kind: "lobby", joined, byLink: Math.max(0, joined - 1), byCode: Math.min(1, joined) });
      if (this.draft.service === "shares") this.push({ kind: "computers", offered: KEYS.slice(0, Math.min(joined, this.script.includes("many") ? 4 : 3)), wanted: 3 });
      await sleep(TICK_MS);
    }
  }

  async run() {
    if (this.number === 1) this.push({ kind: "locked", listNumber: 1, seats: SEATS });
    if (this.role === "host" && this.script.includes("series")) return this.past(9);
    for (let acknowledged = 0; acknowledged <= SEATS; acknowledged += 3) {
      this.push({ kind: "progress", acknowledged, sent: 0, of: SEATS });
      await sleep(TICK_MS);
      if (this.stops("agreeing") && acknowledged === 3) return;
    }
    this.push(this.ready(1));
    this.others();
  }

  async others() {
    if (this.stops("link")) this.push({ kind: "link", up: false });
    for (let sent = 1; sent <= 4; sent++) {
      this.push({ kind: "progress", acknowledged: SEATS, sent, of: SEATS });
      await sleep(TICK_MS);
    }
    if (this.script.includes("fault")) return this.fault();
    if (this.stops("progress")) return;
    while (this.contribute && !this.sent) await sleep(TICK_MS);
    this.push({ kind: "progress", acknowledged: SEATS, sent: SEATS, of: SEATS });
    await sleep(TICK_MS);
    this.push(this.result());
  }

  tier() {
    return this.role === "host" ? "unverified" : "host-verified";
  }

  fault() {
    const message = "Two people did not send in time, so there is no result.";
    this.push({ kind: "fault", code: "missing", phase: "masked", seats: [2, 5], message, sentAnything: this.sent, roomGoesOn: true });
  }

  result(total = "1285.50") {
    const { service, params } = this.draft;
    const { unit } = params;
    const counted = { included: SEATS, confirmed: SEATS, seats: SEATS, contributionIn: this.contribute, tier: this.tier() };
    if (this.cells.length > 0) return { kind: "result", figures: this.cells.map((label, i) => sumOf(label, i, unit)), ...counted };
    if (this.script.includes("odd")) this.push({ kind: "leftOut", wrong: [8], missing: [9] });
    const sum = { name: "sum", label: "", value: total, unit, rounded: false };
    const count = { name: "count", label: "", value: String(SEATS), unit: "", rounded: false };
    const mean = { name: "mean", label: "", value: "183.64", unit, rounded: true };
    if (service === "shares") return { kind: "result", figures: [sum, { ...count, name: "people" }], ...counted, confirmed: 3, seats: 3 };
    const figures = service === "sum" ? [sum, count] : [sum, count, mean];
    return { kind: "result", figures, ...counted };
  }

  async check_input(bytes) {
    const { min, max, unit, decimals } = this.draft.params;
    const texts = new TextDecoder().decode(bytes).trim().split(/[;\n]/);
    const count = Math.max(1, this.cells.length);
    const limits = `Type a number from ${min} to ${max}${unit ? ` ${unit}` : ""}, with up to ${decimals} decimals. Nothing left this device.`;
    const fits = (text) => isDecimal(text.trim()) && Number(text) >= Number(min) && Number(text) <= Number(max);
    const wrong = texts.findIndex((text) => !fits(text));
    const where = this.cells[wrong] ? `${this.cells[wrong]}: ` : "";
    if (wrong >= 0) throw { code: "input-out-of-range", field: "value", message: where + limits };
    if (texts.length !== count) throw { code: "bad-input", field: "rows", message: `This question takes ${count} values, one for each cell.` };
  }

  async submit(bytes) {
    await this.check_input(bytes);
    setTimeout(() => {
      this.sent = true;
      const masked = Uint8Array.from({ length: 48 }, (_, i) => (i * 151 + 89 + ((i * i) % 97)) & 255);
      this.push({ kind: "sent", sequence: 23, receipt: "7f3a 91c2 e05d 46b8", masked });
    }, this.stops("held") ? 1e9 : TICK_MS);
  }

  lock_with(heads) {
    return this.lock(heads);
  }

  async lock(heads) {
    if (heads !== SEATS) throw { code: "head-count", field: "heads", message: `${SEATS} people are in, and you counted ${heads}. Nothing was locked.` };
    if (!this.stops("lobby")) void this.run();
  }

  async ask(draft) {
    check_question(draft);
    this.script = draft.question;
    this.question(draft, 5);
    void this.run();
  }

  async stored(from) {
    const kinds = ["open", "commit", "commit", "list", "reveal", "ack", "masked", "masked"];
    const rows = kinds.map((kind, sequence) => ({
      sequence,
      kind,
      author: `seat ${sequence % SEATS}`,
      bytes: Uint8Array.from({ length: 64 + 17 * sequence }, (_, i) => (i * 73 + sequence * 41 + ((i * i) % 61)) & 255),
    }));
    return rows.filter((row) => row.sequence >= from);
  }

  async record(withKey) {
    return [new TextEncoder().encode(withKey ? "with the key" : "without the key")];
  }

  wake() {}

  leave() {
    this.push({ kind: "closed" });
  }

  free() {}
}

const DRAFT = {
  service: "mean",
  question: "How much pocket money do you get in a month?",
  deadlineSeconds: "300",
  params: { unit: "EUR", min: "0", max: "300", decimals: "2", rows_max: "1" },
};

const DRINKS = { ...DRAFT, service: "vector-sum", question: "How many cups a day?", params: { ...DRAFT.params, unit: "cups", max: "50", decimals: "0" } };

const SHARED = { ...DRAFT, service: "shares", params: { ...DRAFT.params, computers: "3", scheme: "shamir", threshold: "2" } };

/** Readings of a series. */
const COUNT = 48;

/** Keys of seats that offer to add up. */
const KEYS = ["7c1e55a0", "b3d4f219", "04aa9be7", "e81f6c3d"].map((start) => start.repeat(8));

/** What is measured goes up and down once a day. */
function levelAt(reading) {
  return Math.round(140 + 30 * Math.sin((reading * Math.PI) / 24) + ((reading * 37) % 11));
}

function draftOf(invite) {
  if (invite.includes("shares")) return SHARED;
  if (invite.includes("series")) return { ...DRAFT, service: "sum" };
  if (invite.includes("cells")) return { ...DRINKS, params: { ...DRINKS.params, cells: "Tea, Coffee, Water" } };
  const days = Array.from({ length: 40 }, (_, i) => `Day ${i + 1}`).join(", ");
  return invite.includes("column") ? { ...DRINKS, params: { ...DRINKS.params, cells: days } } : DRAFT;
}

function cellsOf({ service, params }) {
  return service === "vector-sum" ? params.cells.split(",").map((name) => name.trim()) : [];
}

function sumOf(label, index, unit) {
  return { name: "sum", label, value: String(18 + ((index * 41) % 97)), unit, rounded: false };
}

function isDecimal(text) {
  return /^-?\d{1,12}(\.\d{1,6})?$/.test(text);
}

function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
