/** Calls a function after an amount of time in which it was not paused. It starts paused. */
export class Countdown {
  readonly #ms: number;
  readonly #onEnd: () => void;
  #left: number;
  #running: { timer: ReturnType<typeof setTimeout>; since: number } | undefined;

  constructor(ms: number, onEnd: () => void) {
    this.#ms = ms;
    this.#left = ms;
    this.#onEnd = onEnd;
  }

  /** Starts again with the full time. A paused countdown stays paused. */
  reset(): void {
    const isRunning = this.#running !== undefined;
    this.pause();
    this.#left = this.#ms;
    if (isRunning) {
      this.resume();
    }
  }

  /** Goes on with the time that was left. Has no effect while running. */
  resume(): void {
    this.#running ??= { timer: setTimeout(this.#onEnd, this.#left), since: performance.now() };
  }

  /** Stops until it is resumed. */
  pause(): void {
    if (this.#running) {
      clearTimeout(this.#running.timer);
      this.#left = Math.max(0, this.#left - (performance.now() - this.#running.since));
      this.#running = undefined;
    }
  }
}
