/**
 * Every state of the three screens that can be held still, reached in a real room of three:
 * a host who answers too, a guest, and a program.
 */
import { join } from "./native.mjs";
import { person } from "./people.mjs";

const FIRST = "How much pocket money do you get in a month?";
const SECOND = "How much of it do you save?";
const QUESTION = { service: "Average", text: FIRST, unit: "EUR", min: "0", max: "300", decimals: "2", groupMin: "3", contribute: true };
/** Minutes: long enough to look at the question, short enough to wait for its end. */
const SHORT_DEADLINE = "0.15";
const RESULT = { sum: "390.75 EUR", count: "3", mean: "130.25 EUR" };

/** Calls `visit(person, name)` in each state. Gives all people, for what their pages said. */
export async function walk(t, { relay, browser, visit }) {
  const [host, ada] = [await person(browser, "host"), await person(browser, "ada")];
  await startScreens(host, relay.url, visit);
  await lobby(t, host, ada, relay.url, visit);
  await firstRun(host, ada, visit);
  await secondRun(host, ada, visit);
  await strangers(ada, relay.url, visit);
  return [host, ada];
}

async function startScreens(host, url, visit) {
  await host.open(url);
  await host.settle();
  await visit(host, "start");
  await host.button("Join").click();
  await host.text("Paste a link or type the four words first.").waitFor();
  await visit(host, "start-refused");
  await host.button("Ask the room").click();
  await host.heading("Ask the room").waitFor();
  await visit(host, "ask");
  await host.compose({ max: "-5" });
  await host.button("Open room").click();
  await host.text("The highest value must be above the lowest value.").waitFor();
  await visit(host, "ask-refused");
  await host.compose(QUESTION);
  await host.text("With 3 or 4 people a result says a lot").waitFor();
  await visit(host, "ask-small-group");
}

async function lobby(t, host, ada, url, visit) {
  await host.button("Open room").click();
  await host.region("Invite").waitFor();
  const link = await host.field("Invite link").inputValue();
  await visit(host, "room-lobby-empty");
  await ada.open(link);
  await ada.button("Take part").waitFor();
  await visit(ada, "join-consent");
  await ada.button("Take part").click();
  await ada.text("Tick the box to take part in a small group.").waitFor();
  await visit(ada, "join-consent-refused");
  join(t, link, ["--small-group", "--input", "128.50", "--input", "20", "--questions", "2"]);
  await ada.takePart({ smallGroup: true });
  await ada.text("You are in.").waitFor();
  await visit(ada, "join-waiting");
  await ada.answer("4000");
  await ada.refusal();
  await visit(ada, "join-refused");
  await ada.answer("12.25");
  await ada.text("Your number is still here.").waitFor();
  await visit(ada, "join-held");
  await host.waitForPeople(3);
  await host.field("People in the room").fill("2");
  await host.button("Lock and start").click();
  await host.page.locator("#heads-error:not(:empty)").waitFor();
  await visit(host, "room-lobby-refused");
  await host.lock(3);
}

async function firstRun(host, ada, visit) {
  await host.text("2 of 3 have sent").first().waitFor();
  await visit(host, "room-running");
  await ada.text("Only this left: a masked number.").waitFor();
  await ada.text("Details").click();
  await visit(ada, "join-sent");
  await host.answer("250");
  for (const [who, name] of [[host, "room-result"], [ada, "join-result"]]) {
    const { figures } = await who.result(3);
    if (JSON.stringify(figures) !== JSON.stringify(orderOf(figures))) throw new Error(`${name} shows ${JSON.stringify(figures)}`);
    await who.settle();
    await visit(who, name);
  }
  await ada.text("What this result tells, and what it doesn’t").click();
  await ada.relayHolds();
  await ada.text("Entry 0, open").click();
  await visit(ada, "join-result-details");
}

/** The service's own figure comes first, the rest as in the question. */
function orderOf(figures) {
  return Object.fromEntries(Object.keys(figures).map((name) => [name, RESULT[name]]));
}

async function secondRun(host, ada, visit) {
  await host.askAgain({ service: "Sum", text: SECOND, deadline: SHORT_DEADLINE });
  await ada.heading(SECOND).waitFor();
  await ada.field("Your number").waitFor();
  await visit(ada, "join-next-question");
  await host.heading("No result this time").waitFor();
  await visit(host, "room-fault");
  await ada.heading("No result this time").waitFor();
  await visit(ada, "join-fault");
}

async function strangers(ada, url, visit) {
  await ada.page.goto("about:blank");
  await ada.open(url);
  await ada.field("Link or code").fill("acid acorn acre acts");
  await ada.button("Join").click();
  await ada.heading("You are not in the room").waitFor();
  await visit(ada, "join-not-found");
}
