/** What a long run costs while it goes on: CPU time and memory of the programs and of the tabs. */
import { readFileSync } from "node:fs";

/** Ticks of `/proc/PID/stat` in a second, on every Linux there is. */
const TICKS = 100;
const PAGE_BYTES = 4096;
/** Readings that are compared, early and late: the first ones warm up. */
const WINDOWS = [[26, 75], [426, 475]];

export class Costs {
  #browser;
  #pids;
  #noted = new Map();

  /** Follows the programs of these process numbers and all pages of the browser. */
  constructor({ browser, pids }) {
    this.#browser = browser;
    this.#pids = pids;
  }

  /** To be called after each reading. */
  async note(reading) {
    if (!WINDOWS.some(([from, to]) => reading === from - 1 || reading === to)) return;
    const session = await this.#browser.newBrowserCDPSession();
    const { processInfo } = await session.send("SystemInfo.getProcessInfo");
    await session.detach();
    const tabs = processInfo.filter(({ type }) => type === "renderer").map(({ id }) => id);
    this.#noted.set(reading, { at: performance.now(), programs: total(this.#pids), tabs: total(tabs) });
  }

  /** One line for each part of the run. */
  lines() {
    return WINDOWS.flatMap(([from, to]) => {
      const [before, after] = [this.#noted.get(from - 1), this.#noted.get(to)];
      if (!before || !after) return [];
      const cpu = (who) => ((after[who].ms - before[who].ms) / (to - from + 1)).toFixed(1);
      const mib = (who) => (after[who].bytes / (1 << 20)).toFixed(0);
      const wall = ((after.at - before.at) / (to - from + 1)).toFixed(0);
      return `readings ${from} to ${to}: ${wall} ms each, CPU ${cpu("programs")} ms in programs and ${cpu("tabs")} ms in tabs; memory ${mib("programs")} and ${mib("tabs")} MiB`;
    });
  }
}

function total(pids) {
  const each = pids.map(spent);
  return { ms: each.reduce((sum, { ms }) => sum + ms, 0), bytes: each.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/** CPU time since it began, and memory that it holds now. */
function spent(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // What follows the name, which may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ").map(Number);
  return { ms: ((fields[11] + fields[12]) * 1000) / TICKS, bytes: fields[21] * PAGE_BYTES };
}
