/**
 * Looks for numbers in bytes, in every form in which a program might have let one slip.
 *
 * One function for the room that must hide its inputs and for the room without masks that must be
 * found out. What it cannot see: a number that was encrypted badly. For that there are the proofs.
 */
import { decimal } from "./exact.mjs";

/** Bytes to search, and where they are from. */
export function haystack(label, bytes) {
  return { label, bytes: Buffer.from(bytes) };
}

/** Every frame of the relay, and all frames of a direction in one piece, lest something straddles two. */
export function haystacksOf(frames) {
  const inWay = (way) => frames.filter((frame) => frame.way === way).map((frame) => frame.bytes);
  return [haystack("frames to the relay", Buffer.concat(inWay(">"))), haystack("frames from the relay", Buffer.concat(inWay("<")))];
}

/** Everything found: whose number, in which form, where. One pass, however many numbers there are. */
export function scan(haystacks, secrets) {
  const byStart = new Map();
  for (const { name, needles } of secrets) {
    for (const { form, bytes } of needles) {
      const start = bytes.readUIntBE(0, START_BYTES);
      byStart.set(start, [...(byStart.get(start) ?? []), { name, form, bytes }]);
    }
  }
  return haystacks.flatMap((hay) => scanOne(hay, byStart));
}

function scanOne({ label, bytes: hay }, byStart) {
  const found = [];
  for (let at = 0; at + START_BYTES <= hay.length; at++) {
    for (const { name, form, bytes } of byStart.get(hay.readUIntBE(at, START_BYTES)) ?? []) {
      if (hay.subarray(at, at + bytes.length).equals(bytes)) found.push({ name, form, where: `${label}, byte ${at}` });
    }
  }
  return found;
}

/** A number of `units / 10^decimals`, in all its forms. */
export function numberSecret(name, units, decimals) {
  const fixed = BigInt.asUintN(64, units);
  const magnitude = units < 0n ? -units : units;
  const raw = {
    "little-endian": le(fixed),
    "big-endian": be(fixed),
    "little-endian double of the value": double(Number(decimal(units, decimals)), true),
    "big-endian double of the value": double(Number(decimal(units, decimals)), false),
    "little-endian double of the fixed point": double(Number(units), true),
    "big-endian double of the fixed point": double(Number(units), false),
    "varint": leb128(fixed),
    "zigzag varint": leb128(units < 0n ? -2n * units - 1n : 2n * units),
    "varint of the magnitude": leb128(magnitude),
  };
  const texts = textsOf(magnitude, decimals);
  const hexed = [String(magnitude.toString(16)), be(fixed).toString("hex"), le(fixed).toString("hex")];
  return {
    name,
    needles: unique([
      ...Object.entries(raw).map(([form, bytes]) => ({ form, bytes })),
      ...texts.flatMap((text) => textForms("decimal text", text)),
      ...hexed.flatMap((text) => [...textForms("hex", text), ...textForms("hex", text.toUpperCase())]),
      ...Object.entries(raw).flatMap(([form, bytes]) => hexForms(form, bytes)),
      ...["little-endian", "big-endian"].flatMap((form) => base64Forms(form, raw[form])),
      ...texts.flatMap((text) => hexForms("decimal text", Buffer.from(text))),
      ...texts.flatMap((text) => base64Forms("decimal text", Buffer.from(text))),
    ]),
  };
}

/** A small number, such as how many rows a site has: only in full width, or it would be everywhere. */
export function countSecret(name, count) {
  return { name, needles: [{ form: "little-endian", bytes: le(count) }, { form: "big-endian", bytes: be(count) }] };
}

/** Bytes that must be nowhere, such as the secret of an invite. */
export function bytesSecret(name, bytes) {
  return { name, needles: unique([{ form: "bytes", bytes }, ...hexForms("bytes", bytes), ...base64Forms("bytes", bytes)]) };
}

/** Text that must be nowhere. */
export function textSecret(name, text) {
  return { name, needles: unique([...textForms("text", text), ...base64Forms("text", Buffer.from(text))]) };
}

/**
 * What anyone can do who holds all masked payloads of a question: add them up, at every place and
 * in both byte orders. Says where one of the numbers comes out.
 */
export function addUp(payloads, numbers) {
  const wanted = new Set(numbers.map((number) => BigInt.asUintN(64, number)));
  const length = Math.min(...payloads.map((payload) => payload.length));
  const found = [];
  for (let at = 0; at + 8 <= length; at++) {
    for (const read of ["readBigUInt64LE", "readBigUInt64BE"]) {
      const sum = payloads.reduce((all, payload) => all + payload[read](at), 0n);
      if (wanted.has(BigInt.asUintN(64, sum))) found.push(`${read} at byte ${at}`);
    }
  }
  return found;
}

/** With and without point and comma, with and without the zeros of its ends. */
function textsOf(magnitude, decimals) {
  const text = decimal(magnitude, decimals);
  const trimmed = text.includes(".") ? text.replace(/0+$/, "").replace(/\.$/, "") : text;
  const pointed = [text, trimmed, text.replace(/^0/, ""), text.replace(".", ","), trimmed.replace(".", ",")];
  return [...new Set([...pointed, String(magnitude)])];
}

function textForms(form, text) {
  return [
    { form, bytes: Buffer.from(text, "utf8") },
    { form: `${form} in UTF-16`, bytes: Buffer.from(text, "utf16le") },
  ];
}

function hexForms(form, bytes) {
  const hex = bytes.toString("hex");
  return [hex, hex.toUpperCase()].map((text) => ({ form: `${form} in hex`, bytes: Buffer.from(text) }));
}

/** Base64 of bytes that start at any place of a longer text: three alignments, two alphabets. */
function base64Forms(form, bytes) {
  const forms = [];
  for (const shift of [0, 1, 2]) {
    const whole = Buffer.concat([Buffer.alloc(shift), bytes]);
    // Characters at the ends that depend on neighbours are left out.
    const start = Math.ceil((shift * 8) / 6);
    const end = Math.floor((whole.length * 8) / 6);
    for (const alphabet of ["base64", "base64url"]) {
      const text = whole.toString(alphabet).slice(start, end);
      forms.push({ form: `${form} in ${alphabet}, ${shift} bytes in`, bytes: Buffer.from(text) });
    }
  }
  return forms;
}

function le(number) {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(number);
  return bytes;
}

function be(number) {
  return Buffer.from(le(number)).reverse();
}

function double(number, little) {
  const bytes = Buffer.alloc(8);
  if (little) bytes.writeDoubleLE(number);
  else bytes.writeDoubleBE(number);
  return bytes;
}

function leb128(number) {
  const bytes = [];
  for (let rest = number; ; ) {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    bytes.push(rest > 0n ? low | 0x80 : low);
    if (rest === 0n) return Buffer.from(bytes);
  }
}

/** How much of a form is looked up at once. What is shorter would be found everywhere, by chance. */
const START_BYTES = 5;

function unique(needles) {
  const seen = new Map();
  for (const needle of needles) {
    if (needle.bytes.length < START_BYTES) throw new Error(`${needle.form} is too short to look for`);
    const key = needle.bytes.toString("hex");
    if (!seen.has(key)) seen.set(key, needle);
  }
  return [...seen.values()];
}
