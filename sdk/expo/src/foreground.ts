/** React Native's AppState, which reports if the app is in the foreground. */
export interface AppStateSource {
  readonly currentState: string | null;
  addEventListener(type: 'change', listener: (state: string) => void): { remove(): void } | undefined;
}

/**
 * Follows the app's changes between foreground and background, and measures time. It listens to the app only while it has listeners
 * itself. While it is stopped, the app counts as being in the background.
 */
export class Foreground {
  readonly #source: AppStateSource;
  #active: boolean;
  #isStopped = false;
  #left: { wall: number; steady: number } | undefined;
  #suspended = 0;
  readonly #listeners = new Set<(active: boolean) => void>();
  #isConnected = false;
  #subscription: { remove(): void } | undefined;

  constructor(source: AppStateSource) {
    this.#source = source;
    this.#active = this.#found();
  }

  get isActive(): boolean {
    return this.#isConnected || this.#isStopped ? this.#active : this.#found();
  }

  /** Calls the listener when the app enters or leaves the foreground. */
  subscribe(listener: (active: boolean) => void): () => void {
    this.#listeners.add(listener);
    this.#connect();
    return () => {
      this.#listeners.delete(listener);
      this.#connect();
    };
  }

  /** Follows the app again after stop. */
  start(): void {
    this.#isStopped = false;
    this.#connect();
    this.#change(this.#found());
  }

  /** Tells the listeners that the app has left the foreground, and ends following it. */
  stop(): void {
    this.#isStopped = true;
    this.#connect();
    this.#change(false);
  }

  /** Resolves when the app is in the foreground. */
  async active(): Promise<void> {
    if (!this.isActive) {
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

  #found(): boolean {
    return this.#source.currentState !== 'background';
  }

  #connect(): void {
    const isWanted = !this.#isStopped && this.#listeners.size > 0;
    if (isWanted && !this.#isConnected) {
      this.#active = this.#found();
      this.#subscription = this.#source.addEventListener('change', (state) => {
        this.#change(state !== 'background');
      });
    } else if (!isWanted) {
      this.#subscription?.remove();
    }
    this.#isConnected = isWanted;
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
