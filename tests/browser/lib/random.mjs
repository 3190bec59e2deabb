/**
 * Random inputs, from a seed that a failing test prints and `UNDERTONE_SEED` sets.
 */
import { createHash, randomBytes } from "node:crypto";

export const SEED = process.env.UNDERTONE_SEED ?? randomBytes(8).toString("hex");

/** Prints the seed if the test fails. */
export function tellSeed(t) {
  t.after(() => {
    if (t.passed !== true) t.diagnostic(`inputs are from UNDERTONE_SEED=${SEED}`);
  });
}

/** A stream of random values for one purpose. */
export class Random {
  #purpose;
  #count = 0;

  constructor(purpose) {
    this.#purpose = purpose;
  }

  /** A whole number of exactly `digits` digits whose last is not 0: no form of it gets shorter. */
  units(digits) {
    for (;;) {
      const hash = createHash("sha256").update(`${SEED} ${this.#purpose} ${this.#count++}`).digest();
      const text = String(hash.readBigUInt64BE() % 10n ** BigInt(digits)).padStart(digits, "0");
      if (text[0] !== "0" && text.at(-1) !== "0") return BigInt(text);
    }
  }

  /** The same, and every second one below 0. */
  signed(digits) {
    const units = this.units(digits);
    return this.#count % 2 === 0 ? -units : units;
  }
}
