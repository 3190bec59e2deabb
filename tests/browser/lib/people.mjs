/**
 * People in front of the real app: what they see and do, by label and role.
 *
 * Every person has a browser context of their own, and what their page says on the console, which
 * addresses it asks for and what it throws is kept.
 */
import { chromium } from "playwright-core";
import { CHROMIUM, needs } from "./places.mjs";

const ARGS = [
  "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];
const WAIT_MS = 25_000;
/** People asked for less motion here, so a screen rests as soon as it is painted. */
const PAINT_MS = 200;

/** Chromium says so for every page of an insecure origin; the headers are right for secure ones. */
const EXPECTED = [/Cross-Origin-Opener-Policy header has been ignored/];

/** A Chromium for one test; `names` maps host names to the loopback interface. */
export async function launch(t, names = []) {
  const rules = names.map((name) => `--host-resolver-rules=MAP ${name} 127.0.0.1`);
  const executablePath = needs(CHROMIUM, "cargo xtask test");
  const browser = await chromium.launch({ executablePath, args: [...ARGS, ...rules], timeout: 30_000 });
  t.after(() => browser.close());
  return browser;
}

/** A person with a device of their own. */
export async function person(browser, name, options = {}) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, reducedMotion: "reduce", ...options });
  context.setDefaultTimeout(WAIT_MS);
  return new Person(name, context, await context.newPage());
}

export class Person {
  /** What the console says, with where it is from. */
  console = [];
  /** Errors on the console or thrown. */
  errors = [];
  /** Every address that the page, its workers or its sockets asked for. */
  urls = [];

  constructor(name, context, page) {
    this.name = name;
    this.context = context;
    this.page = page;
    page.on("console", (message) => this.#said(message.type(), message.text()));
    page.on("pageerror", (error) => this.#said("error", error.message));
    page.on("websocket", (socket) => this.urls.push(socket.url()));
    context.on("request", (request) => this.urls.push(request.url(), JSON.stringify(request.headers())));
  }

  #said(type, text) {
    this.console.push(`${type}: ${text}`);
    if (type === "error" && !EXPECTED.some((expected) => expected.test(text))) this.errors.push(`${this.name}: ${text}`);
  }

  button = (name) => this.page.getByRole("button", { name, exact: true });
  field = (name) => this.page.getByRole("textbox", { name, exact: true });
  heading = (name) => this.page.getByRole("heading", { name });
  region = (name) => this.page.getByRole("region", { name, exact: true });
  text = (text) => this.page.getByText(text);

  /** Opens the page; waits until it can be used. */
  async open(url) {
    await this.page.goto(url, { waitUntil: "load" });
    await this.page.getByRole("heading", { level: 1 }).first().waitFor();
  }

  /** Loads the page again, as a person does who pulls it down. */
  async reload() {
    await this.page.reload({ waitUntil: "load" });
    await this.page.getByRole("heading", { level: 1 }).first().waitFor();
  }

  /** A second tab of the same browser. */
  async anotherTab() {
    return new Person(`${this.name}'s other tab`, this.context, await this.context.newPage());
  }

  /** Names of all that the browser keeps for this page: whoever looks at its tools sees them. */
  async namesKept() {
    return this.page.evaluate(async () => {
      const names = [location.href, document.title, ...Object.keys(localStorage), ...Object.keys(sessionStorage), document.cookie];
      if (globalThis.caches) names.push(...(await caches.keys()));
      if (navigator.locks) names.push(...(await navigator.locks.query()).held.map(({ name }) => name));
      for (const { name, version } of await indexedDB.databases()) {
        const db = await new Promise((resolve) => (indexedDB.open(name, version).onsuccess = (event) => resolve(event.target.result)));
        const read = (store, call) => new Promise((resolve) => (db.transaction(store).objectStore(store)[call]().onsuccess = (event) => resolve(event.target.result)));
        names.push(name, ...db.objectStoreNames);
        for (const store of db.objectStoreNames) names.push(...(await read(store, "getAllKeys")).map((key) => JSON.stringify(key)));
        db.close();
      }
      return names;
    });
  }

  /** Everything that IndexedDB holds for this page, as far as a script can read it. */
  async valuesKept() {
    const hex = await this.page.evaluate(async () => {
      const db = await new Promise((resolve) => (indexedDB.open("undertone").onsuccess = (event) => resolve(event.target.result)));
      const all = (store) => new Promise((resolve) => (db.transaction(store).objectStore(store).getAll().onsuccess = (event) => resolve(event.target.result)));
      const bytesOf = (value) => (value instanceof Uint8Array ? [value] : Object.values(value).filter((it) => it instanceof Uint8Array));
      const found = [...(await all("seats")), ...(await all("said"))].flatMap(bytesOf);
      db.close();
      return found.map((bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(""));
    });
    return hex.map((text) => Buffer.from(text, "hex"));
  }

  /** Host: fills the form and opens the room. */
  async openRoom(url, question) {
    await this.open(url);
    await this.button("Ask the room").click();
    await this.compose(question);
    await this.button("Open room").click();
    await this.region("Invite").waitFor();
    return { link: await this.field("Invite link").inputValue(), code: await this.region("Invite").locator("[data-code]").innerText() };
  }

  /** Fills in the fields of a question that are named. */
  async compose({ service, text, cells, unit, min, max, decimals, rowsMax, deadline, groupMin, contribute }) {
    const services = this.page.getByRole("group", { name: "What comes out" });
    // People click the card, which is the choice's label.
    if (service) await services.getByText(service, { exact: true }).click();
    const typed = { Question: text, Cells: cells, Unit: unit, "Lowest value": min, "Highest value": max, Decimals: decimals };
    for (const [label, value] of Object.entries({ ...typed, Deadline: deadline, "Smallest group": groupMin })) {
      if (value !== undefined) await this.field(label).fill(value);
    }
    if (contribute) await this.page.getByRole("checkbox", { name: "I answer too" }).check();
    if (rowsMax === undefined) return;
    await this.page.getByText("More", { exact: true }).click();
    await this.field("Most values per person").fill(rowsMax);
  }

  /** Host: waits for people to be in the room. */
  async waitForPeople(n) {
    await this.page.locator(".here").filter({ hasText: new RegExp(`^\\s*${n}\\s`) }).waitFor();
  }

  /** Host: closes the list. */
  async lock(n) {
    await this.waitForPeople(n);
    await this.field("People in the room").fill(String(n));
    await this.button("Lock and start").click();
  }

  /** Host: asks the same people something else. */
  async askAgain(question) {
    await this.compose(question);
    await this.button("Ask again").click();
  }

  /** Guest: comes by link. */
  async comeByLink(link) {
    await this.open(link);
    await this.takePart();
  }

  /** Guest: types what is on the screen into the start page. */
  async comeByCode(url, code, consent = {}) {
    await this.open(url);
    await this.field("Link or code").fill(code);
    await this.button("Join").click();
    await this.takePart(consent);
  }

  async takePart({ smallGroup = false, field = "Your number" } = {}) {
    if (smallGroup) await this.page.getByRole("checkbox", { name: /small group/ }).check();
    await this.button("Take part").click();
    await this.field(field).waitFor();
  }

  async answer(value) {
    await this.answerCells({ "Your number": value });
  }

  /** One number for each cell, by its name. */
  async answerCells(values) {
    for (const [name, value] of Object.entries(values)) await this.field(name).fill(value);
    await this.button("Send").click();
  }

  /** What the field says about what was typed. */
  async refusal() {
    const error = this.region("Only on this device").locator(".error:not(:empty)");
    await error.waitFor();
    return error.innerText();
  }

  /** Waits until the field has nothing to say. */
  async noRefusal() {
    await this.region("Only on this device").locator(".error:empty").waitFor({ state: "attached" });
  }

  /** The figures once `n` devices have signed them; `question` tells one result from the next. */
  async result(n, question) {
    if (question) await this.page.getByText(question).first().waitFor();
    const region = this.region("Result");
    await region.getByText(`All ${n} devices computed and signed the same result`).waitFor();
    const names = await region.locator("[data-figure]").evaluateAll((all) => all.map((it) => [it.dataset.figure, it.innerText.trim()]));
    return {
      figures: Object.fromEntries(names),
      mine: await region.getByText("My contribution is in", { exact: true }).isVisible(),
      tier: await region.locator("[data-tier]").innerText(),
      included: await region.getByText(/\d+ (answers|values) included/).innerText(),
    };
  }

  /** Waits until nothing moves. */
  async settle() {
    await this.page.waitForTimeout(PAINT_MS);
  }

  /** The masked bytes that this screen says were sent. */
  async masked() {
    const hex = await this.page.locator("[data-masked]").textContent();
    return Buffer.from(hex.replace(/\s/g, ""), "hex");
  }

  /** What the page says the relay holds: kind and bytes of each entry. */
  async relayHolds() {
    await this.page.getByRole("button", { name: /^Fetch/ }).click();
    const entries = this.region("What the relay holds").locator("[data-entry]");
    await entries.first().waitFor({ state: "attached" });
    const texts = await entries.evaluateAll((all) => all.map((it) => it.textContent));
    return texts.map((hex) => Buffer.from(hex.replace(/\s/g, ""), "hex"));
  }
}
