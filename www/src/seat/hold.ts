/**
 * Which tab speaks for a seat. A courtesy to the person, who is told which one it is: what keeps two tabs
 * from saying two things is the store's transaction.
 */
import type { Store } from "./store.ts";

/** How long a tab that is being reloaded may take to let go of its seat. */
const PATIENCE_MS = 2_000;
/** Where there are no Web Locks: how often a tab shows that it lives. */
const BEAT_MS = 500;
/** And for how long the next one looks whether it does. */
const WATCH_MS = 1_500;

export interface Hold {
  release(): void;
}

export interface Wish {
  id: string;
  /** Drawn by the tab that wants the seat. */
  holder: string;
  /** Takes it from a tab that lives. */
  steal: boolean;
  /** Another tab took it. Told once. */
  lost(): void;
}

/** Nothing if another tab holds the seat. Throws if the seat is gone. */
export function hold(store: Store, wish: Wish): Promise<Hold | undefined> {
  const locks = (navigator as { locks?: LockManager }).locks;
  return locks ? holdLock(locks, store, wish) : holdLease(store, wish);
}

/** The seats that other tabs hold, as far as locks tell; `undefined` where there are none. */
export async function held(): Promise<Set<string> | undefined> {
  const locks = (navigator as { locks?: LockManager }).locks;
  if (!locks) return undefined;
  const { held = [] } = await locks.query();
  return new Set(held.map(({ name = "" }) => name));
}

/** The name of a seat's lock. */
export const lockName = (id: string): string => `undertone/seat/${id}`;

async function holdLock(locks: LockManager, store: Store, { id, holder, steal, lost }: Wish): Promise<Hold | undefined> {
  const options: LockOptions = steal ? { steal } : { signal: AbortSignal.timeout(PATIENCE_MS) };
  const got = await new Promise<Hold | undefined>((resolve) => {
    let holds = false;
    const whileHeld = (): Promise<void> =>
      new Promise((release) => {
        holds = true;
        resolve({ release });
      });
    // It rejects when nobody let go in time, and later when somebody takes the lock away.
    locks.request(lockName(id), options, whileHeld).catch(() => (holds ? lost() : resolve(undefined)));
  });
  await (got && store.claim(id, holder).catch((thrown: unknown) => {
    got.release();
    throw thrown;
  }));
  return got;
}

async function holdLease(store: Store, { id, holder, steal, lost }: Wish): Promise<Hold | undefined> {
  const before = await store.seat(id);
  if (!steal && before && before.beat > 0) {
    await new Promise((resolve) => setTimeout(resolve, WATCH_MS));
    if ((await store.seat(id))?.beat !== before.beat) return undefined;
  }
  await store.claim(id, holder);
  let beat = 1;
  const timer = setInterval(() => {
    store.beat(id, holder, ++beat).catch(() => {
      clearInterval(timer);
      lost();
    });
  }, BEAT_MS);
  const release = (): void => {
    clearInterval(timer);
    store.beat(id, holder, 0).catch(() => undefined);
  };
  return { release };
}
