import type { Fetch } from './http';

/** A request that ends without a response after this time has waited for the server in vain. The package ends other requests on purpose. */
const patienceMs = 10_000;

/** The running requests of a Waft. */
export class Connections {
  readonly #fetch: Fetch;
  readonly #onSilence: (why: string) => void;
  readonly #open = new Set<AbortController>();
  #hasResponse = false;

  /** Calls onSilence for each request without a response, until the first response. */
  constructor(fetch: Fetch, onSilence: (why: string) => void) {
    this.#fetch = fetch;
    this.#onSilence = onSilence;
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
    const began = performance.now();
    try {
      if (signal?.aborted) {
        abort();
      }
      const answer = await this.#fetch(url, { ...init, signal: cut.signal });
      this.#hasResponse = true;
      return answer;
    } catch (error) {
      const isLate = performance.now() - began >= patienceMs;
      if (!this.#hasResponse && (isLate || !cut.signal.aborted)) {
        this.#onSilence(isLate ? 'no response in 10 s' : String((error as Error | undefined)?.message ?? error));
      }
      throw error;
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
