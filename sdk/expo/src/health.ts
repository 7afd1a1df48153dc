import { atMost } from './atmost';
import { compact, errorEvent, isEvent, type ErrorDetails, type HealthEvent } from './event';
import type { Foreground } from './foreground';
import { handleUncaught } from './handlers';
import { failedLaunch, type Launch, type LogEntry } from './launches';
import { Queue, type Batch, type Origin } from './queue';
import { Sender, type Answer } from './sender';
import type { Session } from './session';
import type { KeyValueStorage } from './storage';

/** Reports errors and events of the app. The functions never throw. */
export interface Health {
  /** Reports an error that the app caught. */
  captureException(error: unknown, details?: ErrorDetails): void;
  /** Reports an event of the app. */
  track(name: string, tags?: Record<string, string>): void;
  /** Sends waiting reports. Resolves when all are sent, or when they cannot be sent yet and will be sent later. */
  flush(): Promise<void>;
}

/** Changes an event before it is stored or sent, or returns null to drop it. If it throws, the event is dropped. */
export type BeforeSend = (event: HealthEvent) => HealthEvent | null;

/** The dependencies of DeviceHealth. */
export interface HealthParts {
  enabled: boolean;
  origin: Origin;
  launch: Launch;
  storage: KeyValueStorage;
  /** Prefix of the storage keys. */
  prefix: string;
  session: Session;
  foreground: Foreground;
  beforeSend: BeforeSend | undefined;
  newKey: () => string;
  flagStates: () => Record<string, string>;
  post: (batch: Batch) => Promise<Answer>;
  /** Reads the log of expo-updates, up to maxAgeMs old. */
  readLog: (maxAgeMs: number) => Promise<LogEntry[]>;
}

const reportEveryMs = 5000;
const firstReportMs = 1000;
const lastWordsMs = 2000;
const logAgeMs = 24 * 3600 * 1000;

/** Observes the health of this device, and queues and sends its reports. */
export class DeviceHealth implements Health {
  readonly #parts: HealthParts;
  readonly #queue: Queue | undefined;
  readonly #sender: Sender | undefined;
  /** Reported errors, because several handlers may get the same error. */
  readonly #reported = new WeakSet();
  #launched = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #delayMs = firstReportMs;
  #stop: (() => void) | undefined;

  constructor(parts: HealthParts) {
    this.#parts = parts;
    if (parts.enabled) {
      this.#queue = new Queue(parts.storage, `${parts.prefix}/reports`, parts.newKey);
      this.#sender = new Sender(this.#queue, parts.post, parts.foreground);
    }
  }

  start(): void {
    if (!this.#sender || this.#stop) {
      return;
    }
    const release = handleUncaught((error, isFatal) => this.#uncaught(error, isFatal));
    const unsubscribe = this.#parts.foreground.subscribe((active) => {
      void this.#parts.session.mark({ ended: !active });
      if (!active) {
        void this.#queue?.save();
      }
    });
    this.#stop = () => {
      release();
      unsubscribe();
    };
    this.#sender.start();
    if (!this.#launched) {
      this.#launched = true;
      this.#add(() => ({ type: 'app_launch', count: 1 }));
      void this.#begin();
    } else {
      void this.#parts.session.mark({ ended: !this.#parts.foreground.isActive });
    }
  }

  stop(): void {
    this.#stop?.();
    this.#stop = undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sender?.stop();
    void this.settle();
  }

  /** Stores waiting reports and notes that the session ends normally. */
  async settle(): Promise<void> {
    if (this.#queue) {
      await Promise.all([this.#queue.save(), this.#parts.session.mark({ ended: true })]);
    }
  }

  captureException(error: unknown, given?: ErrorDetails): void {
    const details = given ?? {}; // JavaScript code may pass null.
    if (typeof error === 'object' && error !== null) {
      if (this.#reported.has(error)) {
        return;
      }
      this.#reported.add(error);
    }
    if (details.isFatal) {
      void this.#parts.session.mark({ crashed: true });
    }
    this.#add(() => errorEvent(error, details));
  }

  track(name: string, tags?: Record<string, string>): void {
    this.#add(() => compact({ type: 'custom', name, tags: tags ?? undefined, count: 1 }));
  }

  async flush(): Promise<void> {
    await this.#sender?.flush();
  }

  /** Begins a session, and reports a failed launch or an abnormal end of the previous session. */
  async #begin(): Promise<void> {
    const { session, origin, launch, foreground } = this.#parts;
    const previous = await session.begin(origin, !foreground.isActive);
    const log = await this.#parts.readLog(logAgeMs).catch(() => []);
    const failed = failedLaunch(previous, launch, log);
    if (failed) {
      const event = errorEvent(Object.assign(new Error(failed.message), { name: 'FailedLaunch', stack: failed.stackTrace }), {
        isFatal: true,
      });
      this.#add(() => event, { ...origin, updateUuid: failed.updateUuid });
    } else if (previous && !previous.ended && !previous.crashed) {
      this.#add(() => ({ type: 'custom', name: 'abnormal_exit', count: 1 }), previous.origin);
    }
  }

  async #uncaught(error: unknown, isFatal: boolean): Promise<void> {
    this.captureException(error, { isFatal });
    if (isFatal) {
      const said = Promise.all([this.#queue?.save(), this.#parts.session.mark({ crashed: true })]).then(() => this.flush());
      await atMost(lastWordsMs, said);
    }
  }

  #add(made: () => HealthEvent, origin: Origin = this.#parts.origin): void {
    if (!this.#queue) {
      return;
    }
    try {
      const event = made();
      const flagStates = this.#parts.flagStates();
      const whole = event.type === 'app_launch' || Object.keys(flagStates).length === 0 ? event : { ...event, flagStates };
      const scrubbed = this.#parts.beforeSend ? this.#parts.beforeSend(whole) : whole;
      if (scrubbed && isEvent(scrubbed)) {
        this.#queue.add(compact(scrubbed), origin);
        this.#schedule();
      }
    } catch {
      // The app's data cannot be read, or its hook failed. The event may contain data that must not be sent, so drop it.
    }
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#delayMs = reportEveryMs;
      this.#sender?.nudge();
    }, this.#delayMs);
  }
}
