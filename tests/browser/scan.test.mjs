/** The tools of these tests can find what they look for. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { decimal, divideHalfEven, mean } from "./lib/exact.mjs";
import { addUp, bytesSecret, countSecret, haystack, numberSecret, scan, textSecret } from "./lib/scan.mjs";
import { readTap } from "./lib/tap.mjs";

const UNITS = 123456789012n;
const noise = () => randomBytes(20_000);
const planted = (bytes) => [haystack("noise", Buffer.concat([noise(), bytes, noise()]))];
const secret = numberSecret("ada", UNITS, 4);
const forms = (bytes) => scan(planted(bytes), [secret]).map(({ form }) => form);

test("noise holds nothing", () => assert.deepEqual(scan([haystack("noise", noise())], [secret, bytesSecret("key", Buffer.alloc(16, 7))]), []));

test("a number is found in every form in which it may slip out", () => {
  const le = Buffer.from("141a99be1c000000", "hex");
  assert.equal(le.readBigUInt64LE(), UNITS);
  const be = Buffer.from(le).reverse();
  const samples = {
    "decimal text": Buffer.from("x=12345678.9012;"),
    "with a comma": Buffer.from("12345678,9012"),
    "fixed point as text": Buffer.from('{"v":123456789012}'),
    "UTF-16": Buffer.from("12345678.9012", "utf16le"),
    "little-endian": le,
    "big-endian": be,
    "in 16 bytes": Buffer.concat([le, Buffer.alloc(8)]),
    "hex, short": Buffer.from("1cbe991a14"),
    "hex, upper case": Buffer.from("1CBE991A14"),
    "hex of big-endian": Buffer.from(be.toString("hex")),
    "hex of little-endian": Buffer.from(le.toString("hex")),
    "hex of text": Buffer.from(Buffer.from("12345678.9012").toString("hex")),
    "varint": Buffer.from([0x94, 0xb4, 0xe4, 0xf4, 0xcb, 0x03]),
    "zigzag varint": Buffer.from([0xa8, 0xe8, 0xc8, 0xe9, 0x97, 0x07]),
  };
  for (const [name, bytes] of Object.entries(samples)) {
    assert.ok(forms(bytes).length > 0, name);
  }
  for (const alphabet of ["base64", "base64url"]) {
    for (const before of ["", "a", "ab"]) {
      for (const bytes of [le, be, Buffer.from("12345678.9012")]) {
        const text = Buffer.concat([Buffer.from(before), bytes, Buffer.from("yz")]).toString(alphabet);
        assert.ok(forms(Buffer.from(text)).length > 0, `${alphabet} after ${before.length} bytes: ${text}`);
      }
    }
  }
});

test("a number below zero is found too", () => {
  const negative = numberSecret("ben", -UNITS, 4);
  const find = (bytes) => scan(planted(bytes), [negative]).length > 0;
  assert.ok(find(Buffer.from("-12345678.9012")));
  assert.ok(find(Buffer.from("ece56641e3ffffff", "hex")));
  assert.ok(find(Buffer.from("ffffffe34166e5ec", "hex")));
  assert.ok(find(Buffer.from([0xa7, 0xe8, 0xc8, 0xe9, 0x97, 0x07])));
});

test("a count is found in full width", () => {
  const rows = countSecret("rows", 1000n);
  for (const hex of ["e803000000000000", "00000000000003e8"]) assert.equal(scan(planted(Buffer.from(hex, "hex")), [rows]).length, 1);
  assert.deepEqual(scan(planted(Buffer.from("1000")), [rows]), []);
});

test("another number is not found", () => {
  assert.deepEqual(forms(Buffer.from("12345678.9013")), []);
  assert.deepEqual(forms(Buffer.from("151a99be1c000000", "hex")), []);
});

test("keys and texts are found as they are, in hex and in base64", () => {
  const key = randomBytes(16);
  for (const text of [key, key.toString("hex"), Buffer.concat([Buffer.from("x"), key, Buffer.from("yz")]).toString("base64url")]) {
    assert.notEqual(scan(planted(Buffer.from(text)), [bytesSecret("key", key)]).length, 0);
  }
  assert.equal(scan(planted(Buffer.from("GET /?AQBfragment HTTP/1.1")), [textSecret("fragment", "AQBfragment")]).length, 1);
});

test("adding up finds a sum that the store would give away", () => {
  const payload = (number) => {
    const bytes = Buffer.concat([Buffer.alloc(24), Buffer.alloc(16)]);
    bytes.writeBigUInt64LE(BigInt.asUintN(64, number), 24);
    return bytes;
  };
  assert.deepEqual(addUp([payload(5n), payload(-12n)], [-7n]), ["readBigUInt64LE at byte 24"]);
  assert.deepEqual(addUp([payload(5n), payload(-12n)], [7n]), []);
});

test("decimals are exact and quotients half to even", () => {
  assert.equal(decimal(-5n, 2), "-0.05");
  assert.equal(decimal(1250n, 2), "12.50");
  assert.equal(decimal(7n, 0), "7");
  assert.deepEqual([5n, 7n, -5n, -7n].map((it) => divideHalfEven(it, 2n)), [2n, 4n, -2n, -4n]);
  assert.equal(mean(1000n, 8n, 2), "1.25");
  assert.equal(mean(1001n, 8n, 2), "1.2512");
  assert.equal(mean(100n, 3n, 0), "33.33");
});

test("a tap's lines are frames", () => {
  assert.deepEqual(readTap("> 3 0201\n< 12 82\n").map(({ way, connection, bytes }) => [way, connection, bytes.toString("hex")]),
    [[">", 3, "0201"], ["<", 12, "82"]]);
});
