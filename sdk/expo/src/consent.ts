import { Stored, type KeyValueStorage } from './storage';

/** Whether this device may report: by the user's decision, which is stored, and by the sample rate. */
export class Consent {
  readonly #stored: Stored<boolean>;
  readonly #isRequired: boolean;
  /** The user's decision, or undefined without one. */
  #decision: boolean | undefined;
  #isSampled = true;
  /** Called when the storage responds with the user's decision after `known` has resolved without it. */
  onLate: () => void = () => undefined;
  /** Resolves when it is known whether the device may report, or has to wait for the user's decision. */
  readonly known: Promise<void>;

  /** Without isRequired, a user who has not decided consents. The sample has a share of `sampleRate` of all devices. */
  constructor(storage: KeyValueStorage, key: string, isRequired: boolean, sampleRate: number, deviceId: Promise<string>) {
    this.#stored = new Stored(storage, key);
    this.#isRequired = isRequired;
    this.known = this.#decide(sampleRate, deviceId);
  }

  async #decide(sampleRate: number, deviceId: Promise<string>): Promise<void> {
    // Content of another program counts as no decision. The user may decide while the storage is read.
    const take = (stored: unknown): void => {
      this.#decision ??= typeof stored === 'boolean' ? stored : undefined;
    };
    take(
      await this.#stored.read((late) => {
        take(late);
        this.onLate();
      }),
    );
    this.#isSampled = sampleRate >= 1 || shareOf(await deviceId) < sampleRate;
  }

  /** True if the device may store and send reports. */
  get isGiven(): boolean {
    return (this.#decision ?? !this.#isRequired) && this.#isSampled;
  }

  /** True if the device may not report, and need not keep reports until the user decides. */
  get isRefused(): boolean {
    return this.#decision === false || !this.#isSampled;
  }

  /** Stores the user's decision. */
  async give(isGiven: boolean): Promise<void> {
    this.#decision = isGiven;
    await this.#stored.write(isGiven);
  }

  /** Returns a storage that ignores writes unless the device may report. */
  guard(storage: KeyValueStorage): KeyValueStorage {
    return {
      getItem: (key) => storage.getItem(key),
      removeItem: (key) => storage.removeItem(key),
      setItem: async (key, value) => {
        await this.known;
        return this.isGiven ? storage.setItem(key, value) : undefined;
      },
    };
  }
}

/** Returns a number from 0 to 1 that is always the same for a device and spread evenly over devices (FNV-1a with 32 bits). */
function shareOf(deviceId: string): number {
  let hash = 0x811c9dc5;
  for (const character of `sample/${deviceId}`) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  // The first bits of similar texts are similar. The final mix of MurmurHash3 spreads them.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35) >>> 0;
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
