import type { FlagSubject } from './flagsource';
import { areFlags, type FlagValues } from './flagvalues';
import { Stored, type KeyValueStorage } from './storage';

interface Entry {
  /** Identifies the channel and the subject of the values, see identityOf. */
  identity: string;
  flags: FlagValues;
}

/** The number of kept contexts with a targeting key, and of kept contexts that have only attributes. */
const maxContexts = 5;

/**
 * Stores the values of flags for the next start, for the device alone and for the contexts that the app has used most recently. Each
 * context has a key of its own in the storage, so that a start reads only what it needs. Contexts of different channels are different
 * contexts. The device alone has one key, with the values of the channel that the app has used last.
 */
export class FlagCache {
  readonly #storage: KeyValueStorage;
  readonly #name: string;
  readonly #channel: string | undefined;
  readonly #entries = new Map<string, Stored<Entry>>();
  /** Identities in the storage, the latest one first. */
  readonly #index: Stored<string[]>;
  /** Identities that this process has used, the latest one first. */
  #used: string[] = [];

  constructor(storage: KeyValueStorage, name: string, channel: string | undefined) {
    this.#storage = storage;
    this.#name = name;
    this.#channel = channel;
    this.#index = new Stored(storage, `${name}/contexts`);
  }

  /** Returns the stored values of this subject. Content that is corrupt or of another subject counts as missing. */
  async read(subject: FlagSubject): Promise<FlagValues | undefined> {
    const identity = identityOf(this.#channel, subject);
    const entry: Partial<Entry> | undefined = await this.#entry(identity).read();
    if (entry?.identity !== identity || !areFlags(entry.flags)) {
      return undefined;
    }
    this.#use(identity);
    return entry.flags;
  }

  /** Stores the values of this subject. */
  write(subject: FlagSubject, flags: FlagValues): void {
    const identity = identityOf(this.#channel, subject);
    this.#use(identity);
    void this.#entry(identity).write({ identity, flags });
  }

  #entry(identity: string): Stored<Entry> {
    let entry = this.#entries.get(identity);
    if (!entry) {
      entry = new Stored(this.#storage, isDevice(identity) ? this.#name : `${this.#name}/${identity}`);
      this.#entries.set(identity, entry);
    }
    return entry;
  }

  #use(identity: string): void {
    if (!isDevice(identity) && identity !== this.#used[0]) {
      this.#used = [identity, ...this.#used.filter((used) => used !== identity)];
      const keep = (stored: unknown): void => {
        this.#keep(stored);
      };
      void this.#index.read(keep).then(keep);
    }
  }

  /** Keeps the latest contexts of each kind, and removes the others. */
  #keep(stored: unknown): void {
    const known = Array.isArray(stored) ? stored.filter((identity): identity is string => typeof identity === 'string') : [];
    const all = [...new Set([...this.#used, ...known])];
    const kept = [true, false].flatMap((isKeyed) => all.filter((identity) => hasKey(identity) === isKeyed).slice(0, maxContexts));
    this.#used = this.#used.filter((identity) => kept.includes(identity));
    void this.#index.write(all.filter((identity) => kept.includes(identity)));
    for (const identity of all.filter((other) => !kept.includes(other))) {
      void this.#entry(identity).write(undefined);
    }
  }
}

/** Returns a text that is the same for equal targeting keys, attributes and channels only. */
function identityOf(channel: string | undefined, subject: FlagSubject): string {
  const attributes = Object.entries(subject.attributes).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([subject.targetingKey ?? '', attributes, channel]);
}

/** Returns true if the identity is of the device alone, without a targeting key or attributes. Its values are always kept. */
function isDevice(identity: string): boolean {
  return identity.startsWith('["",[],');
}

function hasKey(identity: string): boolean {
  return !identity.startsWith('["",');
}
