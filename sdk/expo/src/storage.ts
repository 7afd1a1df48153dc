/** Where the package keeps what must outlive the app's process. It has the shape of AsyncStorage. */
export interface KeyValueStorage {
  /** The value, or null when there is none. */
  getItem(key: string): Promise<string | null> | string | null;
  /** Keeps the value. Fails when the storage is full. */
  setItem(key: string, value: string): Promise<unknown> | undefined;
  /** Removes the value, if there is one. */
  removeItem(key: string): Promise<unknown> | undefined;
}

/** How long anything waits for the storage. One that takes longer counts as empty and full until it answers. */
const patienceMs = 3000;

/** A value in a storage, as JSON. It never fails: without a storage that works, values last as long as the process. */
export class Stored<T> {
  readonly #storage: KeyValueStorage;
  readonly #key: string;
  #reading: Promise<unknown> | undefined;
  #writing: Promise<void> | undefined;
  #next: { value: T | undefined } | undefined;
  /** The storage has not answered in time, so nothing waits for it. */
  #isSilent = false;

  constructor(storage: KeyValueStorage, key: string) {
    this.#storage = storage;
    this.#key = key;
  }

  /** The value, or undefined when none can be read in time. One that is read later is told to onLate, before it is overwritten. */
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
   * Writes the value, or removes it when it is undefined. Of values that come while another is written only the last is.
   * Resolves when that is done, or when the storage has had its time.
   */
  async write(value: T | undefined): Promise<void> {
    this.#next = { value };
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
    await this.#inTime(this.#writing);
  }

  /** What the answer is, or undefined when it takes too long. */
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
    await this.#reading; // A value that is still read must not be overwritten before.
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
