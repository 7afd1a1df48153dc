import type { KeyValueStorage } from './storage';

/** The part of a browser's lock manager that this package uses. */
export interface Locks {
  request(name: string, options: { ifAvailable: boolean }, callback: (lock: unknown) => Promise<never> | undefined): Promise<unknown>;
}

const seats = 16;

/**
 * Returns a storage for the data of one page: the note of its session, and its reports. The tabs of a browser share their storage,
 * so each page takes a seat in it, which it holds until it closes. A free seat means that its previous page is gone. Without locks
 * this is unknown. Therefore a page without locks or without a free seat does not store anything.
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

/** Takes the lock, if it is free, until the page closes. */
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
