import type { Fetch } from './http';

/** The running requests of a Waft. */
export class Connections {
  readonly #fetch: Fetch;
  readonly #open = new Set<AbortController>();

  constructor(fetch: Fetch) {
    this.#fetch = fetch;
  }

  /** Makes a request, which close ends before its response. */
  readonly fetch: Fetch = async (url, init = {}) => {
    const cut = new AbortController();
    const { signal } = init;
    const abort = (): void => {
      cut.abort();
    };
    signal?.addEventListener('abort', abort);
    this.#open.add(cut);
    try {
      if (signal?.aborted) {
        abort();
      }
      return await this.#fetch(url, { ...init, signal: cut.signal });
    } finally {
      this.#open.delete(cut);
    }
  };

  /** Aborts the running requests. */
  close(): void {
    for (const cut of [...this.#open]) {
      cut.abort();
    }
  }
}
