import type { Foreground } from './foreground';
import type { Refusal } from './http';
import { Pace } from './pace';
import type { Batch, Queue } from './queue';

/** The outcome of a request. */
export type Answer =
  /** The server has the report. */
  | { kind: 'accepted' }
  /** The server does not accept the report, however often it is sent, or does not know the project. */
  | { kind: 'refused'; refusal: Refusal }
  /**
   * The report may be sent again after this time. `isUnknown` means that the server may have the report. `refusal` is a response that does
   * not come from Waft.
   */
  | { kind: 'later'; afterMs: number; isUnknown: boolean; refusal?: Refusal };

/** How long the server recognizes a report by its key. */
const recognizedForMs = 24 * 3600 * 1000;

/**
 * Sends the reports of a queue, one every five seconds and only while the app is in the foreground. It discards a report that the server
 * refuses only if the server has accepted another report before: otherwise the address may be wrong.
 */
export class Sender {
  readonly #queue: Queue;
  readonly #post: (batch: Batch) => Promise<Answer>;
  readonly #foreground: Foreground;
  readonly #pace = new Pace(Math.random);
  /** When this process first sent each report, by the clock of Foreground. */
  readonly #firstSent = new WeakMap<Batch, number>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isSending = false;
  #isStopped = true;
  #unsubscribe: (() => void) | undefined;
  #flushed: (() => void)[] = [];

  constructor(queue: Queue, post: (batch: Batch) => Promise<Answer>, foreground: Foreground) {
    this.#queue = queue;
    this.#post = post;
    this.#foreground = foreground;
    void queue.loaded.then(() => {
      if (queue.pause) {
        this.#pace.resume(this.#foreground.elapsed(), queue.pause, Date.now() - queue.pause.from);
      }
      this.nudge();
    });
  }

  start(): void {
    this.#isStopped = false;
    this.#unsubscribe ??= this.#foreground.subscribe(() => {
      this.#begin();
    });
    this.#begin();
  }

  /** Stops sending. Waiting reports stay in the storage. */
  stop(): void {
    this.#isStopped = true;
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    this.#plan();
  }

  /** Plans to send new reports, unless the sender has a plan already. */
  nudge(): void {
    if (this.#timer === undefined && !this.#isSending) {
      this.#begin();
    }
  }

  /** Sends a report now if the pace allows it. Resolves when the report is sent, or when it has to wait. */
  async flush(): Promise<void> {
    if (this.#isStopped) {
      return;
    }
    await this.#queue.loaded;
    const flushed = new Promise<void>((resolve) => this.#flushed.push(resolve));
    this.#plan(true);
    await flushed;
  }

  #begin(): void {
    this.#pace.begin(this.#foreground.elapsed());
    this.#plan();
  }

  /** Sets the timer for the next report. With isUrgent, sends it now if the pace allows it. */
  #plan(isUrgent = false): void {
    if (this.#isSending) {
      return; // It plans again afterwards.
    }
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const isAble = !this.#isStopped && this.#foreground.isActive && !this.#queue.isEmpty;
    const now = this.#foreground.elapsed();
    if (isAble && this.#pace.waitMs(now, isUrgent) <= 0) {
      void this.#send();
      return;
    }
    if (isAble) {
      this.#timer = setTimeout(() => {
        this.#plan();
      }, this.#pace.waitMs(now));
    }
    const flushed = this.#flushed;
    this.#flushed = [];
    for (const resolve of flushed) {
      resolve();
    }
  }

  async #send(): Promise<void> {
    this.#isSending = true;
    try {
      await this.#queue.loaded;
      const batch = this.#queue.next();
      if (batch) {
        await this.#deliver(batch);
        await this.#queue.save();
      }
    } finally {
      this.#isSending = false;
      this.#plan();
    }
  }

  async #deliver(batch: Batch): Promise<void> {
    if (this.#sentForMs(batch) > recognizedForMs) {
      this.#queue.remove(batch); // The server may already have the report, and would count it again.
      return;
    }
    const isFirst = batch.sentAt === undefined;
    this.#noteSent(batch);
    this.#pauseFor(this.#pace.leave(this.#foreground.elapsed()));
    await this.#queue.save();
    const answer = await this.#post(batch);
    const isUnsent = answer.kind === 'refused' || (answer.kind === 'later' && !answer.isUnknown);
    if (isUnsent && isFirst) {
      delete batch.sentAt;
      this.#firstSent.delete(batch);
    }
    if (answer.kind === 'accepted') {
      this.#queue.accepted(batch);
      this.#pace.settle();
    } else if (answer.kind === 'refused' && this.#queue.hasWorked) {
      this.#queue.remove(batch);
      this.#pace.settle();
    } else {
      if (answer.refusal) {
        this.#queue.refused(batch);
      }
      this.#pauseFor(this.#pace.retry(this.#foreground.elapsed(), answer.kind === 'later' ? answer.afterMs : 0));
    }
  }

  #pauseFor(ms: number | undefined): void {
    if (ms !== undefined) {
      this.#queue.pause = { from: Date.now(), ms };
    }
  }

  #noteSent(batch: Batch): void {
    batch.sentAt ??= Date.now();
    if (!this.#firstSent.has(batch)) {
      this.#firstSent.set(batch, this.#foreground.elapsed() - this.#sentForMs(batch));
    }
  }

  /** Returns for how many milliseconds the server may have had the report. */
  #sentForMs(batch: Batch): number {
    const here = this.#firstSent.get(batch);
    if (here !== undefined) {
      return this.#foreground.elapsed() - here;
    }
    return batch.sentAt === undefined ? 0 : Math.max(0, Date.now() - batch.sentAt);
  }
}
