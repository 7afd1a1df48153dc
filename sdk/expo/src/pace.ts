import type { Pause } from './queue';

/** Time between two reports, and the longest random delay before the first report. Without the delay, all devices would return together. */
const everyMs = 5000;
const firstRetryMs = 1000;
const longestRetryMs = 5 * 60 * 1000;
const longestPauseMs = 3600 * 1000;

/**
 * Decides when the next report may leave. All times are in milliseconds by a clock that the caller reads. `random` returns a number from
 * 0 to 1.
 */
export class Pace {
  readonly #random: () => number;
  /** No report leaves earlier, because the last report left less than five seconds ago, or because the server asked for a pause. */
  #notBefore = -Infinity;
  /** The next report leaves then, unless the app wants to send it earlier. */
  #planned = -Infinity;
  #failures = 0;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** Returns for how long the next report has to wait. With isUrgent, it does not wait for a random or growing delay. */
  waitMs(now: number, isUrgent = false): number {
    return Math.max(0, this.#notBefore - now, isUrgent ? 0 : this.#planned - now);
  }

  /** Plans the first of several reports. */
  begin(now: number): void {
    this.#planned = now + this.#random() * everyMs;
  }

  /** Continues the pause of an earlier process, which began agoMs ago by a clock that may have been set since. */
  resume(now: number, { ms }: Pause, agoMs: number): void {
    const left = agoMs >= 0 ? ms - agoMs : ms;
    this.#notBefore = Math.max(this.#notBefore, now + Math.min(left, longestPauseMs));
  }

  /** Notes that a report leaves. Returns the pause after it. */
  leave(now: number): number {
    this.#notBefore = now + everyMs;
    return everyMs;
  }

  /** Notes that the server has accepted or dropped the report. */
  settle(): void {
    this.#failures = 0;
  }

  /** Notes that the report has to be sent again. Returns the pause that the server asked for, or undefined. */
  retry(now: number, afterMs: number): number | undefined {
    this.#failures += 1;
    this.#planned = now + this.#random() * Math.min(longestRetryMs, firstRetryMs * 2 ** this.#failures);
    if (afterMs <= 0) {
      return undefined;
    }
    const pause = afterMs + this.#random() * everyMs;
    this.#notBefore = Math.max(this.#notBefore, now + pause);
    return pause;
  }
}
