import { readFileSync } from "node:fs";
import { join } from "node:path";
import { encode } from "uqr";
import { expect, test } from "vitest";
import { clock } from "../../src/parts/countdown.ts";
import { hex } from "../../src/parts/hex.ts";
import { runs } from "../../src/parts/qr.ts";

const tokens = readFileSync(join(import.meta.dirname, "../../src/styles/tokens.css"), "utf8");
const [light = "", dark = ""] = tokens.split("prefers-color-scheme: dark");

function colour(theme: string, name: string): number[] {
  const digits = new RegExp(`--${name}: #([0-9a-f]{6})`).exec(theme)?.[1] ?? "";
  return [0, 2, 4].map((at) => parseInt(digits.slice(at, at + 2), 16) / 255);
}

/** Relative luminance, WCAG 2.2. */
function luminance(rgb: number[]): number {
  const [r = 0, g = 0, b = 0] = rgb.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(theme: string, a: string, b: string): number {
  const [x = 0, y = 0] = [luminance(colour(theme, a)), luminance(colour(theme, b))].sort((m, n) => n - m);
  return (x + 0.05) / (y + 0.05);
}

test.each([["light", light], ["dark", dark]])("%s text reaches 7:1, edges 3:1", (_name, theme) => {
  for (const surface of ["paper", "card"]) {
    for (const text of ["ink", "quiet", "accent", "warn"]) {
      expect(contrast(theme, text, surface), `${text} on ${surface}`).toBeGreaterThanOrEqual(7);
    }
    expect(contrast(theme, "edge", surface)).toBeGreaterThanOrEqual(3);
  }
  expect(contrast(theme, "accent-ink", "accent")).toBeGreaterThanOrEqual(7);
  expect(contrast(theme, "warn", "warn-wash")).toBeGreaterThanOrEqual(7);
  expect(contrast(theme, "quiet", "accent-wash")).toBeGreaterThanOrEqual(7);
});

test("no style or script would need a hole in the policy", () => {
  const page = readFileSync(join(import.meta.dirname, "../../index.html"), "utf8");
  expect(page).not.toMatch(/\sstyle=|<style|\son\w+=|<script(?![^>]*\ssrc=)/);
  expect(page).not.toMatch(/https?:\/\//);
});

test("a countdown rounds up and ends at 0:00", () => {
  expect([clock(61_000), clock(1), clock(0), clock(-5), clock(3_600_000)]).toEqual(["1:01", "0:01", "0:00", "0:00", "1:00:00"]);
});

test("bytes as hex", () => {
  expect(hex(Uint8Array.of(0, 1, 254, 255, 16))).toBe("0001feff 10");
});

test("runs give back every module of a QR code", () => {
  const { data, size } = encode("http://teacher.lan:8080/#u1-secret", { border: 0 });
  for (const row of data) {
    const again = Array.from({ length: size }, () => false);
    for (const [start, length] of runs(row)) again.fill(true, start, start + length);
    expect(again).toEqual(row);
  }
});
