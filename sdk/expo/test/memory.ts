import type { KeyValueStorage } from '../src/storage';

/** A storage in memory, whose content outlives whoever uses it. */
export interface MemoryStorage extends KeyValueStorage {
  readonly content: Map<string, string>;
  /** Writing fails. */
  isFull: boolean;
}

export function memoryStorage(): MemoryStorage {
  const content = new Map<string, string>();
  const storage: MemoryStorage = {
    content,
    isFull: false,
    getItem: (key) => Promise.resolve(content.get(key) ?? null),
    setItem: (key, value) => {
      if (storage.isFull) {
        return Promise.reject(new Error('the storage is full'));
      }
      content.set(key, value);
      return Promise.resolve();
    },
    removeItem: (key) => {
      content.delete(key);
      return Promise.resolve();
    },
  };
  return storage;
}
