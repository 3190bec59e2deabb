/**
 * One room in this page: its client, what is known of it, and who wants to hear of changes.
 */
import type { QuestionDraft, SeatInfo } from "../core/contract.ts";
import { Client, CoreError } from "../core/client.ts";
import { initial, reduce, type RoomState } from "./state.ts";

/** Makes a client with a worker of its own. */
export type Spawn = () => Client;

/** Enough for a last message to leave on a slow network; nobody waits for it. */
const LEAVE_MS = 2000;

export class Session extends EventTarget {
  readonly #relay: string;
  #state: RoomState = initial;
  #typed = false;

  readonly client: Client;
  /** Whether this seat opened the room, and whether its person answers too. */
  role: "host" | "guest";
  contribute: boolean;
  /** The number of this seat in this browser; empty until there is one, or where nothing is kept. */
  seat = "";
  /** Whether a seat was taken and this browser does not keep it. */
  unkept = false;
  /** Whether its person had agreed to take part before this page was loaded. */
  tookPart = false;
  /** This seat's key, if it is a guest's that adds up for the others. */
  addsUp = "";

  constructor(options: { spawn: Spawn; relay: string; role: "host" | "guest" }) {
    super();
    this.client = options.spawn();
    this.#relay = options.relay;
    this.role = options.role;
    this.contribute = options.role === "guest";
  }

  /** Whether what a person typed before may have gone with the page: a value is kept nowhere until it leaves. */
  get reloaded(): boolean {
    return this.tookPart && !this.#typed;
  }

  get state(): RoomState {
    return this.#state;
  }

  /** Opens a room. Throws a `CoreError` whose field names what to correct. */
  async host(draft: QuestionDraft, options: { contribute: boolean; groupMin: number }): Promise<void> {
    this.#sit(await this.client.host(this.#relay, draft, options));
    void this.#listen();
  }

  /** Finds the room of an invite or typed code. */
  async join(invite: string): Promise<void> {
    void this.#listen();
    this.#sit(await this.client.join(this.#relay, invite));
  }

  /** Takes up a seat that this browser keeps, from a tab that holds it if need be. */
  async resume(seat: string, options: { steal: boolean }): Promise<void> {
    this.seat = seat;
    void this.#listen();
    this.#sit(await this.client.resume(this.#relay, seat, options));
  }

  #sit({ id, role, contribute, addsUp, tookPart }: SeatInfo): void {
    Object.assign(this, { seat: id, unkept: id === "", role, contribute, addsUp, tookPart });
    this.#update({ ...this.#state });
  }

  /** Takes part by adding up for the others. */
  async addUp(options: { smallGroup: boolean }): Promise<void> {
    await this.client.addUp(options);
    this.contribute = false;
    this.addsUp = await this.client.key();
  }

  /** Hands over the person's value. */
  async submit(text: string): Promise<void> {
    const number = this.#state.asked?.question.number;
    await this.client.submit(text, number);
    this.#typed = true;
    // The answer may cross a new question on its way.
    if (number === this.#state.asked?.question.number) this.#update({ ...this.#state, submitted: true });
  }

  /** The page is back from the background or from a gap in the network. */
  wake(): void {
    this.client.wake().catch(() => undefined);
  }

  /** Leaves the room, then ends its worker: once the room says so, or after a moment. */
  async end(): Promise<void> {
    setTimeout(() => this.client.terminate(), LEAVE_MS);
    await this.client.leave().catch(() => undefined);
  }

  /** Shows a failure that no notice told of. */
  fail(thrown: unknown): void {
    if (this.#state.elsewhere) return;
    const { code, message } = thrown instanceof CoreError ? thrown : { code: "core-stopped", message: "" };
    const fault = { code, message, phase: "", seats: [], sentAnything: false, roomGoesOn: false };
    this.#update({ ...this.#state, fault });
  }

  async #listen(): Promise<void> {
    for await (const notice of this.client.notices()) {
      if (notice.kind === "elsewhere") this.#give(notice.seat);
      this.#update(reduce(this.#state, notice, performance.now()));
    }
    // A room with a result can still be saved as a record; any other has nothing left to give.
    if (!this.#state.result) this.client.terminate();
  }

  /** Another tab has this seat: what runs here ends at once, and without leaving the room. */
  #give(seat: string): void {
    this.seat = seat;
    this.client.terminate();
  }

  #update(next: RoomState): void {
    const previous = this.#state;
    this.#state = next;
    this.dispatchEvent(new CustomEvent("change", { detail: { previous, next } }));
  }
}
