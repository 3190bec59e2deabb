/**
 * Every state of every screen, as a person reaches it: for screenshots and accessibility checks.
 *
 * Each step uses labels and roles only, so a state that cannot be reached by them is a finding.
 */

const open = (page, origin, fragment = "") => page.goto(`${origin}/${fragment}`);
const click = (page, name) => page.getByRole("button", { name, exact: true }).click();
const settled = (page) => page.waitForTimeout(350);

async function compose(page, origin) {
  await open(page, origin);
  await click(page, "Ask the room");
  await page.getByRole("heading", { name: "Ask the room" }).waitFor();
}

async function host(page, origin, question, options = {}) {
  await compose(page, origin);
  if (options.service) await page.getByText(options.service, { exact: true }).click();
  await page.getByLabel("Question").fill(question);
  await page.getByLabel("Unit").fill("EUR");
  await page.getByLabel("Highest value").fill("300");
  await page.getByLabel("Decimals").fill("2");
  if (options.contribute) await page.getByLabel("I answer too").check();
  await click(page, "Open room");
  await page.getByRole("region", { name: "Invite" }).waitFor();
  await page.getByText("7", { exact: true }).waitFor();
}

async function lock(page) {
  await page.getByLabel("People in the room").fill("7");
  await click(page, "Lock and start");
}

async function takePart(page, origin, invite) {
  await open(page, origin, `#${invite}`);
  await click(page, "Take part");
  await page.getByLabel("Your number").waitFor();
}

async function send(page, value) {
  await page.getByLabel("Your number").fill(value);
  await click(page, "Send");
}

/** Opens the screen that checks a record, and gives it a file of that text. */
async function verify(page, origin, text) {
  await open(page, origin, "#/verify");
  await page.getByRole("heading", { name: "Check a record" }).waitFor();
  const file = { name: "undertone-2026-11-30.record", mimeType: "application/octet-stream", buffer: Buffer.from(text ?? "") };
  if (text) await page.getByLabel("Record", { exact: true }).setInputFiles(file);
}

async function revealed(page) {
  await page.getByRole("region", { name: "Result" }).waitFor();
  await page.waitForTimeout(1700);
}

/** Takes part in a question with cells. */
async function takeCells(page, origin, invite, label) {
  await open(page, origin, `#${invite}`);
  await click(page, "Take part");
  await page.getByLabel(label, { exact: true }).waitFor();
}

async function sendCups(page, values) {
  for (const [label, value] of Object.entries(values)) await page.getByLabel(label, { exact: true }).fill(value);
  await click(page, "Send");
}

const DAYS = Array.from({ length: 40 }, (_, i) => String(i % 9)).join("\n");

const ASKED = "How much pocket money do you get in a month?";

/** Name of each state and the way to it. */
export const states = {
  "start": async (page, origin) => {
    await open(page, origin);
    await page.waitForTimeout(1700);
  },
  "start-refused": async (page, origin) => {
    await open(page, origin);
    await click(page, "Join");
    await page.waitForTimeout(1700);
  },
  "ask": compose,
  "ask-refused": async (page, origin) => {
    await compose(page, origin);
    await click(page, "Open room");
    await settled(page);
  },
  "ask-small": async (page, origin) => {
    await compose(page, origin);
    await page.getByLabel("Smallest group").fill("3");
    await settled(page);
  },
  "room-lobby": (page, origin) => host(page, origin, ASKED),
  "room-lobby-refused": async (page, origin) => {
    await host(page, origin, ASKED, { contribute: true });
    await page.getByLabel("People in the room").fill("6");
    await click(page, "Lock and start");
    await settled(page);
  },
  "room-agreeing": async (page, origin) => {
    await host(page, origin, `${ASKED} stop-agreeing`);
    await lock(page);
    await page.getByText("3 of 7 devices").waitFor();
  },
  "room-running": async (page, origin) => {
    await host(page, origin, `${ASKED} stop-progress`, { contribute: true });
    await lock(page);
    await page.getByText("4 of 7 have sent").first().waitFor();
  },
  "room-result": async (page, origin) => {
    await host(page, origin, ASKED);
    await lock(page);
    await revealed(page);
    await click(page, "Fetch it");
    await page.getByText("Entry 0").click();
  },
  "room-fault": async (page, origin) => {
    await host(page, origin, `${ASKED} fault`);
    await lock(page);
    await page.getByText("did not send in time").first().waitFor();
  },
  "join-consent": async (page, origin) => {
    await open(page, origin, "#u1-invite");
    await page.getByRole("button", { name: "Take part" }).waitFor();
  },
  "join-small": async (page, origin) => {
    await open(page, origin, "#u1-small");
    await click(page, "Take part");
    await settled(page);
  },
  "join-not-found": async (page, origin) => {
    await open(page, origin, "#bad");
    await page.getByText("no room with this code").first().waitFor();
  },
  "join-cells-consent": async (page, origin) => {
    await open(page, origin, "#cells");
    await page.getByText("Only the sum of each: Tea, Coffee, Water.").waitFor();
  },
  "join-cells": (page, origin) => takeCells(page, origin, "cells-stop-lobby", "Tea"),
  "join-cells-refused": async (page, origin) => {
    await takeCells(page, origin, "cells-stop-lobby", "Tea");
    await sendCups(page, { Tea: "3", Coffee: "many" });
    await settled(page);
  },
  "join-cells-result": async (page, origin) => {
    await takeCells(page, origin, "cells", "Tea");
    await sendCups(page, { Tea: "3", Coffee: "1", Water: "4" });
    await revealed(page);
  },
  "join-column-refused": async (page, origin) => {
    await takeCells(page, origin, "column-stop-lobby", "Your numbers");
    await sendCups(page, { "Your numbers": "1\n2\nx" });
    await page.getByText("The 40 cells, in order").click();
    await settled(page);
  },
  "join-column-result": async (page, origin) => {
    await takeCells(page, origin, "column", "Your numbers");
    await sendCups(page, { "Your numbers": DAYS });
    await revealed(page);
  },
  "ask-cells": async (page, origin) => {
    await compose(page, origin);
    await page.getByText("Sums by cell", { exact: true }).click();
    await page.getByLabel("Cells").waitFor();
  },
  "join-waiting": (page, origin) => takePart(page, origin, "stop-lobby"),
  "join-answer": async (page, origin) => {
    await takePart(page, origin, "stop-progress");
    await page.getByText("4 of 7 have sent").first().waitFor();
  },
  "join-refused": async (page, origin) => {
    await takePart(page, origin, "stop-progress");
    await send(page, "4000");
    await settled(page);
  },
  "join-held": async (page, origin) => {
    await takePart(page, origin, "stop-held-stop-agreeing");
    await send(page, "128");
    await page.getByText("Your number is still here").waitFor();
  },
  "join-sent": async (page, origin) => {
    await takePart(page, origin, "stop-progress");
    await send(page, "128.50");
    await page.locator("[data-receipt]").waitFor();
    await page.getByText("Details").click();
    await page.waitForTimeout(900);
  },
  "join-link-down": async (page, origin) => {
    await takePart(page, origin, "stop-link-stop-progress");
    await page.getByText("Connection lost").first().waitFor();
    await settled(page);
  },
  "join-revealing": async (page, origin) => {
    await takePart(page, origin, "u1");
    await send(page, "128.50");
    await page.getByRole("region", { name: "Result" }).waitFor();
    await page.waitForTimeout(250);
  },
  "join-result": async (page, origin) => {
    await takePart(page, origin, "u1");
    await send(page, "128.50");
    await revealed(page);
    await page.getByText("What this result tells").click();
  },
  "join-record": async (page, origin) => {
    await takePart(page, origin, "u1");
    await send(page, "128.50");
    await revealed(page);
    await page.getByText("Save record", { exact: true }).click();
    await click(page, "Save without the key");
    await page.getByText("Saved as").waitFor();
  },
  "verify": (page, origin) => verify(page, origin),
  "verify-holds": async (page, origin) => {
    await verify(page, origin, "with");
    await page.getByRole("heading", { name: "This record holds" }).waitFor();
    await settled(page);
  },
  "verify-without-key": async (page, origin) => {
    await verify(page, origin, "without");
    await page.getByText("The record holds no key").waitFor();
    await settled(page);
  },
  "verify-refused": async (page, origin) => {
    await verify(page, origin, "bad");
    await page.getByRole("heading", { name: "This record does not hold" }).waitFor();
    await settled(page);
  },
  "bench": async (page, origin) => {
    await open(page, origin, "#/bench");
    await page.getByRole("heading", { name: "What this device can do" }).waitFor();
  },
  "bench-running": async (page, origin) => {
    await open(page, origin, "#/bench");
    await click(page, "Measure");
    await page.locator("[data-published]").waitFor({ timeout: 30_000 });
  },
  "bench-done": async (page, origin) => {
    await open(page, origin, "#/bench");
    await click(page, "Measure");
    await page.getByText("Done.", { exact: true }).waitFor({ timeout: 60_000 });
  },
  "join-fault": async (page, origin) => {
    await takePart(page, origin, "fault");
    await send(page, "128.50");
    await page.getByText("did not send in time").first().waitFor();
  },
  "seat-back": async (page, origin) => {
    await takePart(page, origin, "stop-progress");
    await page.reload();
    await page.locator("[data-reloaded]").waitFor();
    await page.getByText("4 of 7 have sent").first().waitFor();
  },
  "seat-elsewhere": async (page, origin) => {
    await takePart(page, origin, "stop-lobby");
    const other = await page.context().newPage();
    await other.goto(page.url());
    await click(other, "Use it here");
    await other.getByLabel("Your number").waitFor();
    await page.getByRole("heading", { name: "open in another tab" }).waitFor();
  },
  "seat-lost": async (page, origin) => {
    await open(page, origin, "#/room/0123456789abcdef");
    await page.getByRole("heading", { name: "not on this device" }).waitFor();
    await page.waitForTimeout(1700);
  },
  "seat-kept": async (page, origin) => {
    await takePart(page, origin, "stop-lobby-stop-lost");
    await page.reload();
    await page.getByRole("button", { name: "Go on" }).waitFor();
  },
  "join-series-consent": async (page, origin) => {
    await open(page, origin, "#series");
    await page.getByText("A reading every 30 minutes, 48 times").waitFor();
  },
  "join-series": async (page, origin) => {
    await takePart(page, origin, "series");
    await page.getByText("Reading 9 of 48").waitFor();
    await page.getByText("The readings as a table").click();
    await page.locator(".chart canvas").waitFor();
    await settled(page);
  },
  "join-series-file": async (page, origin) => {
    await takePart(page, origin, "series");
    await page.getByText("Answer every reading from a file").click();
    await settled(page);
  },
  "join-series-gap": async (page, origin) => {
    await open(page, origin, "#series-gap");
    await click(page, "Take part");
    await page.getByText("This reading stays a gap").waitFor();
    await page.locator(".chart canvas").waitFor();
    await settled(page);
  },
  "join-series-long": async (page, origin) => {
    await takePart(page, origin, "series-long");
    await page.getByText("Reading 480 of 500").waitFor();
    await page.locator(".chart canvas").waitFor();
    await settled(page);
  },
  "join-series-feeding": async (page, origin) => {
    await takePart(page, origin, "series");
    await page.getByText("Reading 9 of 48").waitFor();
    await page.getByText("Answer every reading from a file").click();
    const file = { name: "use.csv", mimeType: "text/csv", buffer: Buffer.from("use\n1\n2\n3\n") };
    await page.getByLabel("File with one number on each line").setInputFiles(file);
    await page.getByText("2 more readings will be answered from the file").waitFor();
    await page.locator(".chart canvas").waitFor();
    await settled(page);
  },
  "join-series-over": async (page, origin) => {
    await open(page, origin, "#series-end");
    await click(page, "Take part");
    await page.getByText("All 48 readings are over.").waitFor();
    await page.locator(".chart canvas").waitFor();
    await page.waitForTimeout(1700);
  },
  "room-series": async (page, origin) => {
    await host(page, origin, `${ASKED} series`, { service: "Sum", contribute: true });
    await lock(page);
    await page.getByText("Reading 9 of 48").waitFor();
    await page.locator(".chart canvas").waitFor();
    await settled(page);
  },
  "join-shares-consent": async (page, origin) => {
    await open(page, origin, "#shares");
    await page.getByRole("button", { name: "Add up for the others instead" }).waitFor();
  },
  "join-shares-waiting": (page, origin) => takePart(page, origin, "shares-stop-lobby"),
  "join-shares-sent": async (page, origin) => {
    await takePart(page, origin, "shares-stop-progress");
    await send(page, "128.50");
    await page.locator("[data-may-go]").waitFor();
    await page.getByText("4 of 7 have sent").first().waitFor();
    await page.waitForTimeout(900);
  },
  "join-shares-result": async (page, origin) => {
    await takePart(page, origin, "shares-odd");
    await send(page, "128.50");
    await revealed(page);
    await page.getByText("What this result tells").click();
  },
  "join-adding-waiting": async (page, origin) => {
    await open(page, origin, "#shares-stop-lobby");
    await click(page, "Add up for the others instead");
    await page.getByRole("region", { name: "You add up for the others" }).waitFor();
  },
  "join-adding": async (page, origin) => {
    await open(page, origin, "#shares-stop-progress");
    await click(page, "Add up for the others instead");
    await page.getByText("a share of 4 of 7 answers").waitFor();
  },
  "join-adding-result": async (page, origin) => {
    await open(page, origin, "#shares");
    await click(page, "Add up for the others instead");
    await revealed(page);
  },
  "room-shares-lobby": (page, origin) => host(page, origin, ASKED, { service: "Sum by shares" }),
  "room-shares-many": async (page, origin) => {
    await host(page, origin, `${ASKED} many`, { service: "Sum by shares", contribute: true });
    await page.getByText("Choose 3 of them").waitFor();
  },
  "room-shares-running": async (page, origin) => {
    await host(page, origin, `${ASKED} stop-progress`, { service: "Sum by shares" });
    await lock(page);
    await page.getByText("4 of 7 have sent").first().waitFor();
  },
  "room-shares-result": async (page, origin) => {
    await host(page, origin, ASKED, { service: "Sum by shares" });
    await lock(page);
    await revealed(page);
  },
  "ask-shares": async (page, origin) => {
    await compose(page, origin);
    await page.getByText("Sum by shares", { exact: true }).click();
    await settled(page);
  },
  "ask-series": async (page, origin) => {
    await compose(page, origin);
    await page.getByText("Repeat on a schedule").click();
    await page.getByLabel("A reading every").fill("30");
    await page.getByLabel("How many readings").fill("48");
    await settled(page);
  },
};
