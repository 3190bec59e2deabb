/**
 * Four people of whom one has a browser: a program asks, two more take part, and whoever is told to stays
 * silent, so that the question stays open.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join as path } from "node:path";
import { host, join } from "./native.mjs";
import { readEntry } from "./tap.mjs";

const ATTACH = 0x01;
const ENTRY = 0x82;
const PARAMS = { unit: "h", min: "-1", max: "50", decimals: "2" };
const SMALL = ["--group-min", "3", "--people", "4"];

/**
 * Its programs, each with its ledger in `folder`. `silent`: the last of them gives no value. `every` makes it
 * a series.
 */
export class Group {
  static async ask(t, relay, { folder, service = "sum", params = {}, question = "How much?", silent = false, deadline = "120", readings = 1, every }) {
    const ledger = (name) => ["--ledger", path(folder, name)];
    const times = every ? ["--every", every, "--readings", String(readings)] : [];
    const gives = (value) => Array.from({ length: readings }, () => ["--input", value]).flat();
    const asks = ["--question", question, "--deadline", deadline, ...times, ...SMALL, ...gives("1"), ...ledger("host")];
    const group = new Group();
    group.host = host(t, relay.url, service, { ...PARAMS, ...params }, asks);
    group.invite = (await group.host.notice("opened")).invite;
    group.come = () => {
      const guest = (name, given) => join(t, group.invite, ["--small-group", ...given, ...ledger(name)]);
      group.guests = [guest("one", gives("2")), guest("two", silent ? [] : gives("3"))];
    };
    return group;
  }

  /** The room's log, as the relay showed it to anyone. */
  log(relay) {
    // An invite is a version, the room, a module and the secret.
    const invite = Buffer.from(new URL(this.invite).hash.slice(1), "base64url").toString("hex");
    const frames = relay.frames();
    // Entries travel without their room: that of a connection is in its first frame.
    const attached = frames.filter(({ way, bytes }) => way === ">" && bytes[0] === ATTACH);
    const here = attached.filter(({ bytes }) => invite.includes(bytes.subarray(1, 33).toString("hex")));
    const connections = new Set(here.map(({ connection }) => connection));
    return logOf(frames.filter(({ connection }) => connections.has(connection)));
  }

  async stop() {
    await Promise.all([this.host, ...this.guests].map(({ child }) => child.stop()));
  }
}

/** Copies of ledgers as they were when their seats had said nothing: the first record is the seed. */
export function seedsOf(from, to) {
  for (const name of ["host", "one", "two"]) {
    const bytes = readFileSync(path(from, name));
    const end = 8 + 4 + bytes.readUInt32BE(8);
    writeFileSync(path(to, name), bytes.subarray(0, end), { mode: 0o600 });
  }
}

/** The log that frames of one room show: entries by their place. */
function logOf(frames) {
  const shown = frames.filter(({ way, bytes }) => way === "<" && bytes[0] === ENTRY);
  const log = [];
  for (const { bytes } of shown) log[Number(bytes.readBigUInt64BE(1))] = readEntry(bytes.subarray(9));
  return log;
}
