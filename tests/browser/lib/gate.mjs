/**
 * Somebody between devices and their relay, who can do what a network and a cheating relay can: hold
 * messages back, lose a connection without a word, show an older log.
 */
import { createServer, connect } from "node:net";
import { readEntry } from "./tap.mjs";

const APPEND = 0x02;
const ENTRY = 0x82;

export class Gate {
  /** Where devices find it. */
  url;
  /** When connections to the relay were opened, by this process's monotonic clock. */
  opened = [];
  #upstream;
  #server;
  #links = new Set();
  #heldAfter;
  /** Entries from this place in the log on are not shown to devices. */
  #end = Infinity;

  /** A gate to the relay on a port, for one test. */
  static async open(t, port) {
    const gate = new Gate();
    gate.#upstream = Number(port);
    gate.#server = createServer((device) => gate.#accept(device));
    await new Promise((resolve) => gate.#server.listen(0, "127.0.0.1", resolve));
    gate.url = `http://127.0.0.1:${gate.#server.address().port}`;
    t.after(() => {
      gate.#server.close();
      for (const link of gate.#links) link.cut();
    });
    return gate;
  }

  /** Once a device says something of this kind it hears nothing more, until the gate is open again. */
  holdAfter(kind) {
    this.#heldAfter = kind;
  }

  /** Lets everything through that was held back, until a device says something of the next kind. */
  release(next) {
    this.#heldAfter = next;
    for (const link of this.#links) link.release();
  }

  /** From now on a device that comes is shown the log as it was when it had so many entries. */
  rollBack(end) {
    this.#end = end;
  }

  /** What is connected now stays so for its devices, and nothing goes through any more. */
  swallow() {
    for (const link of this.#links) link.swallow();
  }

  /** From now on this is the gate to another relay. */
  leadTo(port) {
    this.#upstream = Number(port);
    for (const link of this.#links) link.cut();
  }

  #accept(device) {
    const link = new Link(device, connect(this.#upstream, "127.0.0.1"), {
      shows: (sequence) => sequence < this.#end,
      stopsAt: (kind) => kind === this.#heldAfter,
      opened: () => this.opened.push(performance.now()),
      ended: () => this.#links.delete(link),
    });
    this.#links.add(link);
  }
}

class Link {
  #device;
  #relay;
  #held;
  #swallows = false;

  constructor(device, relay, rules) {
    this.#device = device;
    this.#relay = relay;
    const up = new Frames((frame) => {
      const kind = frame.payload[0] === APPEND ? readEntry(frame.payload.subarray(1)).kind : undefined;
      if (kind !== undefined && rules.stopsAt(kind)) this.#held ??= [];
      return true;
    }, rules.opened);
    const down = new Frames(({ payload }) => payload[0] !== ENTRY || rules.shows(Number(payload.readBigUInt64BE(1))));
    device.on("data", (bytes) => this.#swallows || relay.write(up.take(bytes)));
    relay.on("data", (bytes) => this.#down(down.take(bytes)));
    for (const [one, other] of [[device, relay], [relay, device]]) {
      one.on("error", () => other.destroy());
      one.on("close", () => (other.destroy(), rules.ended()));
    }
  }

  #down(bytes) {
    if (this.#swallows || bytes.length === 0) return;
    if (this.#held) this.#held.push(bytes);
    else this.#device.write(bytes);
  }

  release() {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const bytes of held) this.#device.write(bytes);
  }

  swallow() {
    this.#swallows = true;
  }

  cut() {
    this.#device.destroy();
    this.#relay.destroy();
  }
}

/** One direction of a connection: a head, and where that makes it a WebSocket, frames. */
class Frames {
  #pending = Buffer.alloc(0);
  #isHead = true;
  #isSocket = false;
  #passes;
  #opened;

  /** `passes` says of each frame whether it goes through; `opened` hears of a WebSocket. */
  constructor(passes, opened = () => undefined) {
    this.#passes = passes;
    this.#opened = opened;
  }

  /** What goes through of the bytes that came. */
  take(bytes) {
    this.#pending = Buffer.concat([this.#pending, bytes]);
    const out = this.#isHead ? [this.#head()] : [];
    if (this.#isHead) return Buffer.concat(out);
    if (!this.#isSocket) return Buffer.concat([...out, this.#rest()]);
    for (let frame = this.#frame(); frame; frame = this.#frame()) if (this.#passes(frame)) out.push(frame.bytes);
    return Buffer.concat(out);
  }

  #head() {
    const end = this.#pending.indexOf("\r\n\r\n");
    if (end < 0) return Buffer.alloc(0);
    const head = this.#pending.subarray(0, end + 4);
    this.#isHead = false;
    this.#isSocket = /\r\nupgrade: *websocket/i.test(head.toString("latin1"));
    if (this.#isSocket) this.#opened();
    this.#pending = this.#pending.subarray(end + 4);
    return head;
  }

  #rest() {
    const rest = this.#pending;
    this.#pending = Buffer.alloc(0);
    return rest;
  }

  #frame() {
    const all = this.#pending;
    if (all.length < 2) return undefined;
    const masked = (all[1] & 0x80) !== 0;
    const short = all[1] & 0x7f;
    const lengthBytes = short === 127 ? 8 : short === 126 ? 2 : 0;
    const start = 2 + lengthBytes + (masked ? 4 : 0);
    if (all.length < start) return undefined;
    const length = lengthBytes === 8 ? Number(all.readBigUInt64BE(2)) : lengthBytes === 2 ? all.readUInt16BE(2) : short;
    if (all.length < start + length) return undefined;
    const payload = Buffer.from(all.subarray(start, start + length));
    const mask = all.subarray(start - 4, start);
    if (masked) payload.forEach((byte, i) => (payload[i] = byte ^ mask[i % 4]));
    this.#pending = all.subarray(start + length);
    return { bytes: all.subarray(0, start + length), payload };
  }
}
