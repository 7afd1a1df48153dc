import { atMost } from './atmost';
import { bind } from './bind';
import type { Consent } from './consent';
import { abnormalExitName, compact, errorEvent, isEvent, type ErrorDetails, type HealthEvent } from './event';
import type { Foreground } from './foreground';
import { handleUncaught } from './handlers';
import type { Refusal } from './http';
import { failedLaunch, type Launch, type LogEntry } from './launches';
import { Queue, type Batch, type Origin } from './queue';
import { Scope, type NewBreadcrumb, type User } from './scope';
import { Sender, type Answer } from './sender';
import type { Session } from './session';
import type { KeyValueStorage } from './storage';
import { printed } from './text';

/** Reports errors and events of the app. The functions never throw, and an app can pass them on without this object. */
export interface Health {
  /** Reports an error that the app caught. */
  readonly captureException: (error: unknown, details?: ErrorDetails) => void;
  /** Reports an event of the app. */
  readonly track: (name: string, tags?: Record<string, string>) => void;
  /**
   * Adds the user to errors and crashes, as the tag `user.id`. Their `user.email` and `user.username` are sent only with
   * `sendPersonalData`. Null removes the user.
   */
  readonly setUser: (user: User | null) => void;
  /** Adds an action or a change in the app to the next errors and crashes. They have the last 50 breadcrumbs. */
  readonly addBreadcrumb: (breadcrumb: NewBreadcrumb) => void;
  /**
   * Stores if the user allows the app to report. After false, waiting reports are deleted, and the device does not report until true,
   * even after later launches. With `requireConsent`, events are kept in memory until the user decides.
   */
  readonly setConsent: (isGiven: boolean) => void;
  /** Stores waiting reports, and sends a report if the pace allows it. The other reports are sent later. */
  readonly flush: () => Promise<void>;
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
  consent: Consent;
  sendPersonalData: boolean;
  beforeSend: BeforeSend | undefined;
  newKey: () => string;
  flagStates: () => Record<string, string>;
  post: (batch: Batch) => Promise<Answer>;
  /** Tells the app's developers why the server does not accept reports. */
  tell: (refusal: Refusal) => void;
  /** Tells the app's developers that beforeSend has made a mistake. */
  tellHook: (mistake: string) => void;
  /** Reads the log of expo-updates, up to maxAgeMs old. */
  readLog: (maxAgeMs: number) => Promise<LogEntry[]>;
}

const lastWordsMs = 2000;
const logAgeMs = 24 * 3600 * 1000;

/** Observes the health of this device, and queues and sends its reports. */
export class DeviceHealth implements Health {
  readonly #parts: HealthParts;
  readonly #queue: Queue | undefined;
  readonly #sender: Sender | undefined;
  readonly #scope: Scope;
  readonly #reported = new Once();
  readonly #crashes = new Once();
  #launched = false;
  #stop: (() => void) | undefined;

  constructor(parts: HealthParts) {
    this.#parts = parts;
    this.#scope = new Scope(parts.sendPersonalData);
    parts.consent.onLate = () => void this.#obey();
    bind<Health>(this, ['captureException', 'track', 'setUser', 'addBreadcrumb', 'setConsent', 'flush']);
    if (parts.enabled) {
      const queue = new Queue(parts.consent.guard(parts.storage), `${parts.prefix}/reports`, parts.newKey);
      const post = async (batch: Batch): Promise<Answer> => {
        const answer = await parts.post(batch);
        // After the address has worked, a strange response is from a network in between.
        if (answer.kind !== 'accepted' && answer.refusal && (answer.kind === 'refused' || !queue.hasWorked)) {
          parts.tell(answer.refusal);
        }
        return answer;
      };
      this.#queue = queue;
      this.#sender = new Sender(queue, post, parts.foreground);
    }
  }

  start(): void {
    if (!this.#sender || this.#stop) {
      return;
    }
    const release = handleUncaught((error, isFatal) => this.#uncaught(error, isFatal));
    const unsubscribe = this.#parts.foreground.subscribe((active) => {
      void this.#parts.session.mark({ ended: !active });
      this.#scope.add({ category: 'app', message: active ? 'foreground' : 'background' });
      if (!active) {
        void this.#queue?.save();
      }
    });
    this.#stop = () => {
      release();
      unsubscribe();
    };
    void this.#obey();
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
    void this.#report(error, given ?? {}); // JavaScript code may pass null.
  }

  /** Reports an error. A fatal error is a crash whatever was reported about it before. Resolves when a crash is stored. */
  async #report(error: unknown, details: ErrorDetails): Promise<void> {
    if (!details.isFatal) {
      if (this.#reported.isFirst(error)) {
        this.#add(() => errorEvent(error, details));
      }
      return;
    }
    this.#reported.isFirst(error); // After the crash the error is not reported as `js_error`.
    if (this.#crashes.isFirst(error, true)) {
      this.#add(() => errorEvent(error, details));
    }
    // The next launch relies on the note. So it is written after the crash.
    await this.#queue?.save();
    await this.#parts.session.mark({ crashedAt: Date.now() });
  }

  track(name: string, tags?: Record<string, string>): void {
    this.#add(() => compact({ type: 'custom', name, tags: tags ?? undefined, count: 1 }));
    this.#scope.add({ category: 'track', message: name });
  }

  setUser(user: User | null): void {
    this.#scope.setUser(user);
  }

  addBreadcrumb(breadcrumb: NewBreadcrumb): void {
    this.#scope.add(breadcrumb);
  }

  setConsent(isGiven: boolean): void {
    void this.#parts.consent.give(isGiven);
    void this.#obey();
  }

  /** Sends reports if the device may report, and deletes them if it may not. */
  async #obey(): Promise<void> {
    const { consent } = this.#parts;
    await consent.known;
    if (consent.isRefused) {
      this.#sender?.stop();
      await this.#queue?.clear();
    } else if (consent.isGiven && this.#stop) {
      this.#sender?.start();
      await this.#queue?.save();
    }
  }

  async flush(): Promise<void> {
    await this.#queue?.save(); // Also for reports that have to wait.
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
    } else if (previous && !previous.ended && previous.crashedAt === undefined) {
      this.#add(() => ({ type: 'custom', name: abnormalExitName, count: 1 }), previous.origin);
    }
  }

  async #uncaught(error: unknown, isFatal: boolean): Promise<void> {
    const reported = this.#report(error, { isFatal });
    if (isFatal) {
      await atMost(lastWordsMs, reported.then(() => this.flush()));
    }
  }

  /** Adds an event of this session, or of the previous one if its origin is given: that event has no user, breadcrumbs or flags. */
  #add(made: () => HealthEvent, previous?: Origin): void {
    if (!this.#queue || this.#parts.consent.isRefused) {
      return;
    }
    try {
      const own = previous ? made() : this.#scope.on(made());
      const flagStates = previous || own.type === 'app_launch' ? {} : this.#parts.flagStates();
      const whole = Object.keys(flagStates).length === 0 ? own : { ...own, flagStates };
      const event = this.#parts.beforeSend ? this.#scrub(this.#parts.beforeSend, whole) : whole;
      if (event) {
        this.#queue.add(event, previous ?? this.#parts.origin);
        this.#sender?.nudge();
      }
    } catch {
      // The app's data cannot be read.
    }
  }

  /** Returns what the app's hook has left of an event. If the hook makes a mistake, the event may contain data that must not be sent. */
  #scrub(hook: BeforeSend, whole: HealthEvent): HealthEvent | undefined {
    let event: unknown;
    try {
      event = hook(whole);
      if (event === null) {
        return undefined;
      }
      if (typeof event === 'object' && isEvent(event as HealthEvent)) {
        return compact(event as HealthEvent);
      }
      const found = event === undefined ? 'undefined' : event instanceof Promise ? 'a Promise' : 'an invalid event';
      this.#parts.tellHook(`returned ${found}, but must return an event or null`);
    } catch (error) {
      this.#parts.tellHook(`failed: ${printed((error as Error | undefined)?.message ?? error)}`);
    }
    return undefined;
  }
}

/** Remembers errors, because several handlers may get the same error. */
class Once {
  readonly #objects = new WeakSet();
  readonly #values = new Set<unknown>();

  /** Returns true the first time for an object. Returns true for other values, such as a text: with `andValues` only the first time. */
  isFirst(error: unknown, andValues = false): boolean {
    const isObject = (typeof error === 'object' && error !== null) || typeof error === 'function';
    if (!isObject && !andValues) {
      return true;
    }
    const known: Pick<Set<unknown>, 'has' | 'add'> = isObject ? (this.#objects as unknown as Set<unknown>) : this.#values;
    const isFirst = !known.has(error);
    known.add(error);
    return isFirst;
  }
}
