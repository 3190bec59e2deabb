/**
 * The page's side of a room: one worker, one promise per call, notices as an async iterator.
 */
import type { CoreErrorData, Notice, QuestionDraft, RoomClient, SeatInfo, ServiceInfo, StoredEntry } from "./contract.ts";
import { buffersOf, stopped, type CallName, type Calls, type Reply, type Request } from "./protocol.ts";

/** What a client needs of a worker. */
export interface WorkerLike {
  postMessage(message: unknown, transfer: Transferable[]): void;
  terminate(): void;
  onmessage: ((event: MessageEvent) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

/** A refusal by the core, or the end of its worker. */
export class CoreError extends Error implements CoreErrorData {
  readonly code: string;
  readonly field: string | null;

  constructor(data: CoreErrorData) {
    super(data.message);
    this.name = "CoreError";
    this.code = data.code;
    this.field = data.field;
  }
}

interface Waiting {
  resolve(value: never): void;
  reject(error: CoreError): void;
}

const encoder = new TextEncoder();

export class Client implements RoomClient {
  readonly #worker: WorkerLike;
  readonly #waiting = new Map<number, Waiting>();
  readonly #notices = new Queue<Notice>();
  #nextId = 1;
  #ended: CoreError | undefined;

  /** `signal` ends the room and its worker, not the page. */
  constructor(worker: WorkerLike, signal?: AbortSignal) {
    this.#worker = worker;
    worker.onmessage = (event) => this.#take(event.data as Reply);
    worker.onerror = () => this.#end({ code: "core-stopped", field: null, message: "" });
    if (signal?.aborted) this.terminate();
    signal?.addEventListener("abort", () => this.terminate(), { once: true });
  }

  services(): Promise<ServiceInfo[]> {
    return this.#call("services");
  }

  checkQuestion(draft: QuestionDraft): Promise<void> {
    return this.#call("checkQuestion", draft);
  }

  host(relay: string, draft: QuestionDraft, options: { contribute: boolean; groupMin: number }): Promise<SeatInfo> {
    return this.#call("host", relay, draft, options.contribute, options.groupMin);
  }

  /** Looks into the room of an invite or typed code; nothing is said before `takePart`. */
  join(relay: string, invite: string): Promise<SeatInfo> {
    return this.#call("join", relay, invite);
  }

  resume(relay: string, seat: string, options: { steal: boolean }): Promise<SeatInfo> {
    return this.#call("resume", relay, seat, options.steal);
  }

  /** Asks for a seat. `smallGroup` is the person's consent to a group of three or four. */
  takePart(options: { smallGroup: boolean }): Promise<void> {
    return this.#call("takePart", options.smallGroup);
  }

  addUp(options: { smallGroup: boolean }): Promise<void> {
    return this.#call("addUp", options.smallGroup);
  }

  key(): Promise<string> {
    return this.#call("key");
  }

  checkInput(text: string): Promise<void> {
    return this.#call("checkInput", encoder.encode(text));
  }

  submit(text: string, number?: number): Promise<void> {
    return this.#call("submit", encoder.encode(text), number);
  }

  lock(heads: number, computers: string[] = []): Promise<void> {
    return this.#call("lock", heads, computers);
  }

  ask(draft: QuestionDraft): Promise<void> {
    return this.#call("ask", draft);
  }

  stored(from: number): Promise<StoredEntry[]> {
    return this.#call("stored", from);
  }

  record(withKey: boolean): Promise<Uint8Array> {
    return this.#call("record", withKey);
  }

  wake(): Promise<void> {
    return this.#call("wake");
  }

  leave(): Promise<void> {
    return this.#call("leave");
  }

  /** Every notice once, in order; ends when the room closes or the client is terminated. */
  notices(): AsyncIterableIterator<Notice> {
    return this.#notices;
  }

  /** Ends the worker at once. Calls under way fail with code `ended`. */
  terminate(): void {
    this.#end({ code: "ended", field: null, message: "" });
  }

  #call<K extends CallName>(call: K, ...args: Calls[K]["args"]): Promise<Calls[K]["answer"]> {
    if (this.#ended) return Promise.reject(this.#ended);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (value: never) => void, reject });
      const request: Request<K> = { id, call, args };
      this.#worker.postMessage(request, buffersOf(args));
    });
  }

  #take(reply: Reply): void {
    if ("notice" in reply) {
      this.#notices.push(reply.notice);
      if (reply.notice.kind === "closed") this.#notices.close();
      return;
    }
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if ("error" in reply) waiting?.reject(new CoreError(reply.error));
    else waiting?.resolve(reply.value as never);
  }

  #end(data: CoreErrorData): void {
    if (this.#ended) return;
    this.#ended = new CoreError(data);
    this.#worker.terminate();
    for (const { reject } of this.#waiting.values()) reject(this.#ended);
    this.#waiting.clear();
    if (data.code === "core-stopped") this.#notices.push(stopped(data));
    this.#notices.close();
  }
}

/** An unbounded mailbox: a room's notices are few, and none may be lost. */
class Queue<T> implements AsyncIterableIterator<T> {
  readonly #items: T[] = [];
  #wake: ((result: IteratorResult<T>) => void) | undefined;
  #closed = false;

  push(item: T): void {
    if (this.#closed) return;
    if (this.#wake) this.#deliver({ done: false, value: item });
    else this.#items.push(item);
  }

  close(): void {
    this.#closed = true;
    this.#deliver({ done: true, value: undefined });
  }

  next(): Promise<IteratorResult<T>> {
    const item = this.#items.shift();
    if (item !== undefined) return Promise.resolve({ done: false, value: item });
    if (this.#closed) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve) => (this.#wake = resolve));
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #deliver(result: IteratorResult<T>): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.(result);
  }
}
