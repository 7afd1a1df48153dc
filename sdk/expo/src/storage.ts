/** Storage for data that must outlive the app's process. It has the interface of AsyncStorage. */
export interface KeyValueStorage {
  /** Returns the value, or null if the key has no value. */
  getItem(key: string): Promise<string | null> | string | null;
  /** Stores the value. Fails if the storage is full. The package waits for a Promise. */
  setItem(key: string, value: string): unknown;
  /** Removes the value of the key, if it has one. The package waits for a Promise. */
  removeItem(key: string): unknown;
}

/** Maximum wait for the storage. A storage that takes longer is treated as unavailable until it responds. */
const patienceMs = 3000;

/** A value in a storage, as JSON. Never fails: if the storage does not work, values last as long as the process. */
export class Stored<T> {
  readonly #storage: KeyValueStorage;
  readonly #key: string;
  #reading: Promise<unknown> | undefined;
  #writing: Promise<void> | undefined;
  #next: { value: T | undefined } | undefined;
  /** True if the storage has not responded in time. Then calls do not wait for it. */
  #isSilent = false;

  constructor(storage: KeyValueStorage, key: string) {
    this.#storage = storage;
    this.#key = key;
  }

  /** Returns the value, or undefined if it is not read in time. A value that is read later is passed to onLate before it is overwritten. */
  async read(onLate?: (value: T) => void): Promise<T | undefined> {
    let isLate = false;
    const reading = this.#read().then((value) => {
      if (isLate && value !== undefined) {
        onLate?.(value);
      }
      return value;
    });
    this.#reading = reading;
    const value = await this.#inTime(reading);
    isLate = true;
    return value;
  }

  /**
   * Writes the value, or removes it if it is undefined. If several values come during a write, only the last one is written
   * after it. Resolves when the value is written, or when the storage has taken too long.
   */
  async write(value: T | undefined): Promise<void> {
    this.#next = { value };
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
    await this.#inTime(this.#writing);
  }

  /** Returns the result, or undefined if it takes too long. */
  #inTime<V>(answer: Promise<V>): Promise<V | undefined> {
    if (this.#isSilent) {
      return Promise.resolve(undefined);
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#isSilent = true;
        resolve(undefined);
      }, patienceMs);
      void answer.then((given) => {
        clearTimeout(timer);
        this.#isSilent = false;
        resolve(given);
      });
    });
  }

  async #read(): Promise<T | undefined> {
    try {
      const text = await this.#storage.getItem(this.#key);
      return text === null ? undefined : (JSON.parse(text) as T);
    } catch {
      return undefined;
    }
  }

  async #write(): Promise<void> {
    await this.#reading; // A value must not be overwritten while it is being read.
    while (this.#next) {
      const { value } = this.#next;
      this.#next = undefined;
      try {
        if (value === undefined) {
          await this.#storage.removeItem(this.#key);
        } else {
          await this.#storage.setItem(this.#key, JSON.stringify(value));
        }
      } catch {
        // The storage is full or broken. The value stays in memory, and the next write tries again.
      }
    }
  }
}
