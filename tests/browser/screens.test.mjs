/**
 * Every state of the three screens in the real app: no axe violation in light or dark, nothing too
 * wide at 360 px, no error on the console. Leaves pictures of all in `test-results/screens`, at phone
 * and laptop width: to be looked at, not just taken.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { audit, shoot } from "./lib/look.mjs";
import { launch } from "./lib/people.mjs";
import { startRelay } from "./lib/relay.mjs";
import { walk } from "./lib/walk.mjs";

const STATES = 21;

test("every state of every screen can be used by everybody", { timeout: 150_000 }, async (t) => {
  const [relay, browser] = await Promise.all([startRelay(t), launch(t)]);
  const problems = [];
  const visited = new Set();
  const visit = async ({ page }, name) => {
    visited.add(name);
    problems.push(...(await audit(page, name)));
    await shoot(page, name);
  };
  const people = await walk(t, { relay, browser, visit });
  assert.deepEqual(problems, []);
  assert.deepEqual(people.flatMap(({ errors }) => errors), []);
  assert.equal(visited.size, STATES, [...visited].join());
});
