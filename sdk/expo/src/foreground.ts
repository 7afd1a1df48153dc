/** React Native's AppState, which reports if the app is in the foreground. */
export interface AppStateSource {
  readonly currentState: string | null;
  addEventListener(type: 'change', listener: (state: string) => void): unknown;
}

/** Follows the app's changes between foreground and background, and measures time. */
export class Foreground {
  #active: boolean;
  #left: { wall: number; steady: number } | undefined;
  #suspended = 0;
  readonly #listeners = new Set<(active: boolean) => void>();

  constructor(source: AppStateSource) {
    this.#active = source.currentState !== 'background';
    source.addEventListener('change', (state) => {
      this.#change(state !== 'background');
    });
  }

  get isActive(): boolean {
    return this.#active;
  }

  /** Calls the listener when the app enters or leaves the foreground. */
  subscribe(listener: (active: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves when the app is in the foreground. */
  async active(): Promise<void> {
    if (!this.#active) {
      await new Promise<void>((resolve) => {
        const unsubscribe = this.subscribe((active) => {
          if (active) {
            unsubscribe();
            resolve();
          }
        });
      });
    }
  }

  /**
   * Returns milliseconds since an arbitrary time. A change of the device's clock has no effect while the app is in the
   * foreground. In the background, the process may be suspended and steady clocks stop, so the device's clock is used.
   */
  elapsed(): number {
    return performance.now() + this.#suspended;
  }

  #change(active: boolean): void {
    if (active === this.#active) {
      return;
    }
    this.#active = active;
    if (!active) {
      this.#left = { wall: Date.now(), steady: performance.now() };
    } else if (this.#left) {
      const missed = Date.now() - this.#left.wall - (performance.now() - this.#left.steady);
      this.#suspended += Math.max(0, missed);
    }
    for (const listener of [...this.#listeners]) {
      listener(active);
    }
  }
}
