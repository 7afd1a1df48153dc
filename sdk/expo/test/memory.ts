import type { KeyValueStorage } from '../src/storage';

/** A storage in memory, whose content outlives the processes that use it. */
export interface MemoryStorage extends KeyValueStorage {
  readonly content: Map<string, string>;
  /** Makes writes fail. */
  isFull: boolean;
  /** Makes the storage stop responding until the returned function is called. */
  hush(): () => void;
}

export function memoryStorage(): MemoryStorage {
  const content = new Map<string, string>();
  let speech = Promise.resolve();
  const storage: MemoryStorage = {
    content,
    isFull: false,
    hush: () => {
      let speak = (): void => undefined;
      speech = new Promise((resolve) => (speak = resolve));
      return speak;
    },
    getItem: (key) => speech.then(() => content.get(key) ?? null),
    setItem: (key, value) =>
      speech.then(() => {
        if (storage.isFull) {
          throw new Error('the storage is full');
        }
        content.set(key, value);
      }),
    removeItem: (key) => speech.then(() => content.delete(key)),
  };
  return storage;
}
