/**
 * Numbers from a file, one for each reading of a series.
 *
 * They stay in this page's memory and go to the worker one at a time, each in its own reading. A
 * reading for which there is no line is left out by this device: a gap, never a zero.
 */
import type { Session } from "./session.ts";

/** Far more than the longest series has. */
export const FILE_BYTES_MAX = 1 << 20;

export class Feed extends EventTarget {
  readonly #session: Session;
  #lines: string[];
  #given = 0;
  readonly #changed = (): void => void this.#give();

  /** Starts at once with the reading that is open. A first line that is no answer is a heading. */
  constructor(session: Session, text: string) {
    super();
    this.#session = session;
    this.#lines = text.split(/\r?\n/).map((line) => line.trim());
    while (this.#lines.at(-1) === "") this.#lines.pop();
    session.addEventListener("change", this.#changed);
  }

  /** Lines that are still to be given. */
  get left(): number {
    return this.#lines.length;
  }

  async start(): Promise<void> {
    const first = this.#lines[0] ?? "";
    const isHeading = await this.#session.client.checkInput(first).then(() => false, () => true);
    const [, second] = this.#lines;
    if (isHeading && second !== undefined) {
      await this.#session.client.checkInput(second);
      this.#lines.shift();
    } else if (isHeading) {
      await this.#session.client.checkInput(first);
    }
    await this.#give();
  }

  /** Gives no more. What was given stays given. */
  stop(): void {
    this.#lines = [];
    this.#session.removeEventListener("change", this.#changed);
    this.dispatchEvent(new Event("change"));
  }

  async #give(): Promise<void> {
    const { asked, submitted, result, fault } = this.#session.state;
    const number = asked?.question.number ?? 0;
    if (number <= this.#given || submitted || result || fault) return;
    this.#given = number;
    const line = this.#lines.shift();
    if (line) await this.#session.submit(line).catch(() => undefined);
    if (this.left === 0) this.stop();
    this.dispatchEvent(new Event("change"));
  }
}
