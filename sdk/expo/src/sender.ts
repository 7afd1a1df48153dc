import { backOff } from 'exponential-backoff';
import type { Foreground } from './foreground';
import type { Batch, Queue } from './queue';

/** The outcome of a request. */
export type Answer =
  /** The server has the report, or will never accept it. */
  | { kind: 'settled' }
  /** The report may be sent again after this time. `refused` means that the server does not have the report. */
  | { kind: 'later'; afterMs: number; refused: boolean };

/** How long the server recognizes a report by its key. */
const recognisedForMs = 24 * 3600 * 1000;
const firstDelayMs = 1000;
const longestDelayMs = 5 * 60 * 1000;

class Unsent extends Error {
  constructor(readonly afterMs: number) {
    super('the report was not taken');
  }
}

class Superseded extends Error {}

/** Sends the reports of a queue one at a time, oldest first, and only while the app is in the foreground. */
export class Sender {
  readonly #queue: Queue;
  readonly #post: (batch: Batch) => Promise<Answer>;
  readonly #foreground: Foreground;
  /** When this process first sent each report, by the clock of Foreground. */
  readonly #firstSent = new WeakMap<Batch, number>();
  #run = 0;
  #running = false;
  #posting = false;
  #notBefore = 0;
  #attempted: (() => void)[] = [];
  #stopped = true;

  constructor(queue: Queue, post: (batch: Batch) => Promise<Answer>, foreground: Foreground) {
    this.#queue = queue;
    this.#post = post;
    this.#foreground = foreground;
    foreground.subscribe((active) => {
      if (active) {
        this.wake();
      }
    });
  }

  start(): void {
    this.#stopped = false;
    this.wake();
  }

  /** Stops sending. Waiting reports stay in the storage. */
  stop(): void {
    this.#stopped = true;
    this.#run += 1;
    this.#running = false;
    this.#tell();
  }

  /** Sends waiting reports, unless they are being sent or wait for the next attempt. */
  nudge(): void {
    if (!this.#running) {
      this.wake();
    }
  }

  /** Sends waiting reports now, even before the time of the next attempt, unless the server asked for a pause. */
  wake(): void {
    if (this.#stopped || this.#posting) {
      return;
    }
    if (!this.#foreground.isActive || (this.#running && this.#pause() > 0)) {
      this.#tell(); // It continues in the foreground, or when the pause ends.
      return;
    }
    this.#run += 1;
    this.#running = true;
    void this.#drain(this.#run);
  }

  /** Resolves when all reports are sent, or when the rest waits for a later attempt or for the foreground. */
  async flush(): Promise<void> {
    if (this.#stopped) {
      return;
    }
    const attempted = new Promise<void>((resolve) => this.#attempted.push(resolve));
    this.wake();
    await attempted;
  }

  async #drain(run: number): Promise<void> {
    await this.#sendAll(run);
    if (run === this.#run) {
      this.#running = false;
      this.#tell();
    } else if (!this.#running) {
      this.wake(); // The sender was stopped and started again while a report was being sent.
    }
  }

  async #sendAll(run: number): Promise<void> {
    await this.#queue.loaded;
    for (let batch = this.#queue.next(); batch && run === this.#run; batch = this.#queue.next()) {
      try {
        await this.#deliver(batch, run);
      } catch {
        return; // Another run has taken over, or the sender was stopped.
      }
      this.#queue.remove(batch);
      await this.#queue.save();
    }
  }

  #deliver(batch: Batch, run: number): Promise<void> {
    return backOff(() => this.#attempt(batch, run), {
      numOfAttempts: Infinity,
      startingDelay: firstDelayMs,
      maxDelay: longestDelayMs,
      jitter: 'full',
      retry: (error: unknown) => {
        if (error instanceof Unsent) {
          this.#notBefore = this.#foreground.elapsed() + error.afterMs;
          this.#tell();
        }
        return run === this.#run;
      },
    });
  }

  async #attempt(batch: Batch, run: number): Promise<void> {
    if (!this.#foreground.isActive) {
      this.#tell();
    }
    await this.#foreground.active();
    for (let pause = this.#pause(); pause > 0 && run === this.#run; pause = this.#pause()) {
      this.#tell();
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
    if (run !== this.#run) {
      throw new Superseded();
    }
    if (!this.#foreground.isActive) {
      throw new Unsent(0);
    }
    if (this.#sentFor(batch) > recognisedForMs) {
      return; // The server may already have the report, and would count it again.
    }
    this.#posting = true;
    try {
      const isFirst = batch.sentAt === undefined;
      this.#noteSent(batch);
      await this.#queue.save();
      const answer = await this.#post(batch);
      if (answer.kind === 'later') {
        if (answer.refused && isFirst) {
          delete batch.sentAt;
          this.#firstSent.delete(batch);
        }
        throw new Unsent(answer.afterMs);
      }
    } finally {
      this.#posting = false;
    }
  }

  #pause(): number {
    return this.#notBefore - this.#foreground.elapsed();
  }

  #noteSent(batch: Batch): void {
    batch.sentAt ??= Date.now();
    if (!this.#firstSent.has(batch)) {
      this.#firstSent.set(batch, this.#foreground.elapsed() - this.#sentFor(batch));
    }
  }

  /** Returns for how many milliseconds the server may have had the report. */
  #sentFor(batch: Batch): number {
    const here = this.#firstSent.get(batch);
    if (here !== undefined) {
      return this.#foreground.elapsed() - here;
    }
    return batch.sentAt === undefined ? 0 : Math.max(0, Date.now() - batch.sentAt);
  }

  #tell(): void {
    const waiting = this.#attempted;
    this.#attempted = [];
    for (const resolve of waiting) {
      resolve();
    }
  }
}
