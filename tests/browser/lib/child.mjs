/** A child process: its lines as they come, bounded waits, and an end whatever happens. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** How long a program may take to go when it is asked to. */
const STOP_MS = 4_000;

const alive = new Set();

// The last defence; tests stop their own children before.
process.once("exit", () => alive.forEach((child) => child.kill("SIGKILL")));
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

export class Child {
  /** All lines so far; `stream` is `out` or `err`. */
  lines = [];
  /** The exit code, once there is one. */
  code;
  #child;
  #waiting = new Set();
  #ended;

  /** `t` is the test whose end is also the program's. */
  constructor(t, program, args) {
    this.name = [program.split("/").at(-1), ...args].join(" ").slice(0, 200);
    this.#child = spawn(program, args, { stdio: ["pipe", "pipe", "pipe"] });
    alive.add(this.#child);
    this.#ended = new Promise((resolve) => {
      this.#child.once("error", (error) => this.#end(resolve, error.message));
      this.#child.once("close", (code, signal) => this.#end(resolve, code ?? signal));
    });
    for (const [stream, from] of [["out", this.#child.stdout], ["err", this.#child.stderr]]) {
      createInterface({ input: from }).on("line", (text) => this.#take({ stream, text }));
    }
    t.after(() => this.stop());
  }

  /** Its process number. */
  get pid() {
    return this.#child.pid;
  }

  /** The first line, past or to come, of which `pick` makes something. */
  until(pick, what, ms = 20_000) {
    for (const line of this.lines) {
      const found = pick(line);
      if (found !== undefined) return Promise.resolve(found);
    }
    return new Promise((resolve, reject) => {
      const fail = (why) => reject(new Error(`${this.name}: no ${what}: ${why}\n${this.said()}`));
      const wait = { pick, resolve, fail };
      this.#waiting.add(wait);
      wait.timer = setTimeout(() => {
        this.#waiting.delete(wait);
        fail(`waited ${ms} ms`);
      }, ms);
      if (this.code !== undefined) this.#fail(wait);
    });
  }

  /** The exit code, when it is over. */
  async exit(ms = 20_000) {
    const late = Symbol("late");
    let timer;
    const waited = new Promise((resolve) => (timer = setTimeout(resolve, ms, late)));
    const code = await Promise.race([this.#ended, waited]);
    clearTimeout(timer);
    if (code === late) throw new Error(`${this.name}: still running after ${ms} ms\n${this.said()}`);
    return code;
  }

  /** Types a line. */
  say(line) {
    this.#child.stdin.write(`${line}\n`);
  }

  async stop() {
    if (this.code !== undefined) return;
    this.#child.kill("SIGINT");
    await this.exit(STOP_MS).catch(() => {
      this.#child.kill("SIGKILL");
      return this.#ended;
    });
  }

  said() {
    return this.lines.map((line) => line.text).slice(-30).join("\n");
  }

  #take(line) {
    this.lines.push(line);
    for (const wait of this.#waiting) {
      const found = wait.pick(line);
      if (found === undefined) continue;
      clearTimeout(wait.timer);
      this.#waiting.delete(wait);
      wait.resolve(found);
    }
  }

  #end(resolve, code) {
    this.code = code;
    alive.delete(this.#child);
    for (const wait of this.#waiting) this.#fail(wait);
    resolve(code);
  }

  #fail(wait) {
    clearTimeout(wait.timer);
    this.#waiting.delete(wait);
    wait.fail(`it ended with ${this.code}`);
  }
}
