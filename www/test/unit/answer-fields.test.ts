import { expect, test } from "vitest";
import type { Question } from "../../src/core/contract.ts";
import { CELL_FIELDS_MAX, plain, probe } from "../../src/parts/answer-fields.ts";

const asked = (cells: string[]): Question => ({ min: "-1.5", cells }) as unknown as Question;
const many = Array.from({ length: CELL_FIELDS_MAX + 1 }, (_, i) => `cell ${i}`);

test("a cell is checked alone: the others get a value that is allowed", () => {
  expect(probe(asked(["tea", "coffee", "water"]), "x", 1)).toBe("-1.5;x;-1.5");
  expect(probe(asked([]), "x", 0)).toBe("x");
  expect(probe(asked(many), "1\n2", 0)).toBe("1\n2");
});

test("the name of the cell is left out under its own field, and nowhere else", () => {
  expect(plain(asked(["tea", "coffee"]), "coffee: This is not a number.", 1)).toBe("This is not a number.");
  expect(plain(asked(["tea", "coffee"]), "coffee: This is not a number.", 0)).toBe("coffee: This is not a number.");
  expect(plain(asked(many), "cell 0: This is not a number.", 0)).toBe("cell 0: This is not a number.");
  expect(plain(asked([]), "This is not a number.", 0)).toBe("This is not a number.");
});
