import { expect, test } from "vitest";
import { recordName } from "../../src/page/save.ts";

test("a record is named by the day, in two digits each", () => {
  expect(recordName(new Date(2026, 0, 5))).toBe("undertone-2026-01-05.record");
  expect(recordName(new Date(2026, 10, 30, 23, 59))).toBe("undertone-2026-11-30.record");
});
