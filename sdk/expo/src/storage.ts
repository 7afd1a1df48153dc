/** Where the package keeps what must outlive the app's process. It has the shape of AsyncStorage. */
export interface KeyValueStorage {
  /** The value, or null when there is none. */
  getItem(key: string): Promise<string | null> | string | null;
  /** Keeps the value. Fails when the storage is full. */
  setItem(key: string, value: string): Promise<unknown> | undefined;
  /** Removes the value, if there is one. */
  removeItem(key: string): Promise<unknown> | undefined;
}

/** A value in a storage, as JSON. It never fails: without a storage that works, values last as long as the process. */
export class Stored<T> {
  readonly #storage: KeyValueStorage;
  readonly #key: string;
  #writing: Promise<void> | undefined;
  #next: { value: T | undefined } | undefined;

  constructor(storage: KeyValueStorage, key: string) {
    this.#storage = storage;
    this.#key = key;
  }

  /** The value, or undefined when there is none that can be read. */
  async read(): Promise<T | undefined> {
    try {
      const text = await this.#storage.getItem(this.#key);
      return text === null ? undefined : (JSON.parse(text) as T);
    } catch {
      return undefined;
    }
  }

  /** Writes the value, or removes it when it is undefined. Of values that come while another is written only the last is. */
  write(value: T | undefined): Promise<void> {
    this.#next = { value };
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  async #write(): Promise<void> {
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
