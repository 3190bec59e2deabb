/**
 * What a relay sees, as `undertone serve --tap` writes it down: frames, and the entries in them.
 *
 * This is a second reader of the wire format, on purpose: it must not share the program's mistakes.
 */

const APPEND = 0x02;
const ENTRY = 0x82;
const FETCHED = 0x88;
/** Number, place of the first entry, how many. */
const FETCHED_HEAD_BYTES = 1 + 8 + 2;
const KINDS = {
  1: "open", 2: "join", 3: "list", 4: "reveal", 5: "plan", 6: "ack", 7: "confirm", 8: "envelope", 9: "close",
  10: "leave", 11: "rekey", 12: "deal", 0x11: "masked", 0x12: "opening", 0x13: "share", 0x14: "ciphertext",
};

/** One frame for each line: `> 3 02…` came in on connection 3, `<` went out. */
export function readTap(text) {
  return text.split("\n").filter(Boolean).map((line) => {
    const [way, connection, hex] = line.split(" ");
    return { way, connection: Number(connection), bytes: Buffer.from(hex ?? "", "hex") };
  });
}

/** The entries that came in to be stored, each once. */
export function storedEntries(frames) {
  const appended = frames.filter(({ way, bytes }) => way === ">" && bytes[0] === APPEND);
  const entries = new Map(appended.map(({ bytes }) => [bytes.toString("hex"), readEntry(bytes.subarray(1))]));
  return [...entries.values()];
}

/** The entries of a kind. */
export function ofKind(entries, kind) {
  return entries.filter((entry) => entry.kind === kind);
}

/** Reads a signed entry of the log, which travels without its room. */
export function readEntry(bytes) {
  let at = 0;
  const take = (length) => {
    if (at + length > bytes.length) throw new Error("an entry ends too early");
    return bytes.subarray(at, (at += length));
  };
  const version = take(1)[0];
  if (version !== 1) throw new Error(`an entry of version ${version}`);
  const author = take(32).toString("hex");
  const sequence = take(4).readUInt32BE();
  take(32 + 1 + 32); // previous entry, number and hash of the list
  const plan = take(32).toString("hex");
  take(2 + 4); // seat and round
  const kind = KINDS[take(1)[0]];
  const payload = take(take(4).readUInt32BE());
  take(64); // signature
  if (at !== bytes.length || !kind) throw new Error("not an entry of this version");
  return { author, sequence, plan, kind, payload };
}

/** The entries that went out, in frames of one or of many: the same as came in, or it is a fault. */
export function sentEntries(frames) {
  const out = frames.filter(({ way }) => way === "<").map(({ bytes }) => bytes);
  const single = out.filter((bytes) => bytes[0] === ENTRY).map((bytes) => bytes.subarray(9));
  const many = out.filter((bytes) => bytes[0] === FETCHED).flatMap(readFetched);
  return [...single, ...many].map(readEntry);
}

function readFetched(bytes) {
  const entries = [];
  for (let at = FETCHED_HEAD_BYTES; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    entries.push(bytes.subarray(at + 4, (at += 4 + length)));
  }
  return entries;
}
