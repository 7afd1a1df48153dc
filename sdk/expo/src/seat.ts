import type { KeyValueStorage } from './storage';

/** What is used of a browser's lock manager. */
export interface Locks {
  request(name: string, options: { ifAvailable: boolean }, callback: (lock: unknown) => Promise<never> | undefined): Promise<unknown>;
}

const seats = 16;

/**
 * A storage for what belongs to one page: the note of its session, and its reports. The tabs of a browser share their storage, so each
 * page takes a seat there that no other has while it lives. Who takes a seat knows that the page before is gone. Without
 * locks nobody knows that: then, and when all seats are taken, nothing is stored.
 */
export function seatIn(storage: KeyValueStorage, prefix: string, locks: Locks | undefined): KeyValueStorage {
  const seat = freeSeat(prefix, locks);
  const named = async (key: string): Promise<string> => {
    const n = await seat;
    if (n === undefined) {
      throw new Error('the page has no seat');
    }
    return `${key}/${n}`;
  };
  return {
    getItem: async (key) => storage.getItem(await named(key)),
    setItem: async (key, value) => storage.setItem(await named(key), value),
    removeItem: async (key) => storage.removeItem(await named(key)),
  };
}

async function freeSeat(prefix: string, locks: Locks | undefined): Promise<number | undefined> {
  for (let n = 0; locks && n < seats; n += 1) {
    if (await take(`${prefix}/seat/${n}`, locks)) {
      return n;
    }
  }
  return undefined;
}

/** Takes the lock until the page is gone, if it is free. */
function take(name: string, locks: Locks): Promise<boolean> {
  return new Promise((resolve) => {
    const hold = (lock: unknown): Promise<never> | undefined => {
      resolve(lock !== null);
      return lock === null ? undefined : new Promise(() => undefined);
    };
    locks.request(name, { ifAvailable: true }, hold).catch(() => {
      resolve(false); // The page may have no storage, as in a sandboxed frame.
    });
  });
}
