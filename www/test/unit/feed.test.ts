import { expect, test } from "vitest";
import type { Session } from "../../src/room/session.ts";
import { Feed } from "../../src/room/feed.ts";
import { labelWidth, lone } from "../../src/parts/line-chart.ts";
import { pointsOf } from "../../src/parts/series-view.ts";
import type { Question } from "../../src/core/contract.ts";

/** A session whose core takes numbers only, and remembers them by question. */
class Room extends EventTarget {
  state = { asked: { question: { number: 1 } }, submitted: false, result: null, fault: null };
  readonly taken: [number, string][] = [];
  readonly client = {
    checkInput: (text: string): Promise<void> => (/^\d+$/.test(text) ? Promise.resolve() : Promise.reject(new Error("no number"))),
  };

  submit(text: string): Promise<void> {
    this.taken.push([this.state.asked.question.number, text]);
    return Promise.resolve();
  }

  async ask(number: number): Promise<void> {
    this.state = { ...this.state, asked: { question: { number } } };
    this.dispatchEvent(new Event("change"));
    await Promise.resolve();
  }
}

async function fed(text: string): Promise<{ room: Room; feed: Feed }> {
  const room = new Room();
  const feed = new Feed(room as unknown as Session, text);
  await feed.start();
  return { room, feed };
}

test("each line answers one reading, and an empty one none", async () => {
  const { room, feed } = await fed("value\n3\n\n5\n");
  expect([room.taken, feed.left]).toEqual([[[1, "3"]], 2]);
  await room.ask(1);
  for (const number of [2, 3, 4]) await room.ask(number);
  expect([room.taken, feed.left]).toEqual([[[1, "3"], [3, "5"]], 0]);
});

test("a file of something else is refused, and nothing of it is given", async () => {
  const room = new Room();
  await expect(new Feed(room as unknown as Session, "a\nb").start()).rejects.toThrow("no number");
  await expect(new Feed(room as unknown as Session, "").start()).rejects.toThrow("no number");
  expect(room.taken).toEqual([]);
});

test("the line has gaps where readings are missing", () => {
  const figures = [{ name: "sum", label: "", value: "12.5", unit: "", rounded: false }];
  const readings = [{ index: 1, figures }, { index: 2, figures: "gap" as const }, { index: 3, figures: "open" as const }];
  expect(pointsOf(readings, { service: "sum" } as Question)).toEqual([12.5, null, null]);
});

test("a value between two gaps is a point, since no line leads to it", () => {
  expect(lone([1, null, 2, null, 3, 4, null, 5])).toEqual([0, 2, 7]);
  expect([lone([]), lone([null, null]), lone([7])]).toEqual([[], [], [0]]);
});

test("there is room for the longest label", () => {
  expect(labelWidth(["9", "21600", "0"])).toBe(labelWidth(["21600"]));
  expect(labelWidth(["21600"]) - labelWidth(["2160"])).toBeGreaterThan(7);
  expect(labelWidth([])).toBeGreaterThan(0);
});
