/**
 * A relay that shows a reloaded tab an older log gets no second value out of it: the browser's ledger knows
 * what was sent. Also with methods that use keys up, and also if host and relay make up another history.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Gate } from "./lib/gate.mjs";
import { Group, seedsOf } from "./lib/group.mjs";
import { launch, person } from "./lib/people.mjs";
import { folder, startRelay } from "./lib/relay.mjs";
import { ofKind, storedEntries } from "./lib/tap.mjs";

const SPENT = "A value was already sent for this question. A new value needs a new question.";
const OTHER = "Something else?";

const METHODS = { sum: {}, kdk: {}, pcl: { collusion: "1" } };

test("no older log gets a second value out of a tab that was reloaded", { timeout: 120_000 }, async (t) => {
  const [relay, browser] = await Promise.all([startRelay(t), launch(t)]);
  for (const [service, params] of Object.entries(METHODS)) {
    await t.test(service, (t) => rolledBack(t, { relay, browser, service, params }));
  }
});

async function rolledBack(t, { relay, browser, service, params }) {
  const gate = await Gate.open(t, relay.port);
  const kept = folder(t);
  const group = await Group.ask(t, relay, { folder: kept, service, params, silent: true });
  const ada = await person(browser, "ada");
  await ada.open(group.invite.replace(relay.url, gate.url));
  await ada.takePart({ smallGroup: true });
  group.come();
  await ada.text("2 of 4 have sent").first().waitFor();
  await ada.answer("10");
  const receipt = await ada.page.locator("[data-receipt]").innerText();
  const log = group.log(relay);
  const author = log.find(({ kind }) => kind === "join").author;
  const values = (of) => ofKind(storedEntries(of.frames()), "masked").filter((entry) => entry.author === author);
  const [value] = values(relay);

  for (const kind of ["list", "reveal", "ack", "masked"]) {
    await t.test(`shown the log before the first ${kind}, it says nothing new`, async () => {
      gate.rollBack(log.findIndex((entry) => entry.kind === kind && (kind !== "masked" || entry.author === author)));
      await ada.reload();
      await ada.answer("20");
      // Before there is a list, the value waits for signatures on one, as any other.
      if (kind === "list") await ada.text("Your number is still here.").waitFor();
      else assert.equal(await ada.refusal(), SPENT);
      assert.deepEqual(values(relay), [value]);
    });
  }
  await t.test("shown all of it, the tab has what it sent", async () => {
    gate.rollBack(Infinity);
    await ada.reload();
    assert.equal(await ada.page.locator("[data-receipt]").innerText(), receipt);
    assert.deepEqual(values(relay), [value]);
  });
  if (service !== "sum") await madeUp(t, { ada, gate, group, kept, service, params, author, values });
  await group.stop();
  assert.deepEqual(ada.errors, []);
  await ada.context.close({ runBeforeUnload: false });
}

/** Everyone else starts over, from the same keys and with another question, on a relay that knows nothing. */
async function madeUp(t, { ada, gate, group, kept, service, params, author, values }) {
  await t.test("a history in which its key is unused gets no second value under that key", async () => {
    await group.stop();
    const [relay, seeds] = [await startRelay(t), folder(t)];
    seedsOf(kept, seeds);
    const again = await Group.ask(t, relay, { folder: seeds, service, params, question: OTHER });
    gate.leadTo(relay.port);
    await ada.reload();
    again.come();
    await ada.heading(OTHER).waitFor();
    await ada.text("3 of 4 have sent").first().waitFor();
    await ada.answer("20");
    await ada.text("This device has no unused key for this question, so nothing was sent.").first().waitFor();
    await ada.page.getByText("Details").click();
    await ada.page.getByText("key-spent", { exact: true }).waitFor();
    const { plan } = ofKind(storedEntries(relay.frames()), "masked").find((entry) => entry.author !== author);
    assert.deepEqual(values(relay).filter((entry) => entry.plan === plan), []);
    // A failed check is the end of that key.
    assert.deepEqual(await ada.valuesKept(), []);
  });
}
