import {
  OpenFeatureEventEmitter, ProviderEvents, StandardResolutionReasons,
  type EvaluationContext, type JsonValue, type Provider, type ResolutionDetails,
} from '@openfeature/web-sdk';
import { atMost } from './atmost';
import { Countdown } from './countdown';
import { FlagCache } from './flagcache';
import type { Foreground } from './foreground';
import { followFlags, pollFlags, readFlags, subjectOf, type FlagEndpoint, type FlagListener, type FlagSubject } from './flagsource';
import { changed, differing, resolution, valueText, type FlagChange, type FlagValues } from './flagvalues';
import type { KeyValueStorage } from './storage';

/** The dependencies of WaftFlags. */
export interface FlagParts {
  endpoint: FlagEndpoint;
  deviceId: Promise<string>;
  storage: KeyValueStorage;
  prefix: string;
  foreground: Foreground;
  /** True to keep the values from the start. */
  freeze: boolean;
}

/** The use of a context. It ends with the next context. */
interface Use {
  ends: AbortController;
  /** The subject, when the device ID is known. */
  subject?: FlagSubject;
  /** The first request for its flags. Resolves with true if the server has sent them. */
  asked?: Promise<boolean>;
  isAsked: boolean;
  /** True when the server has sent its flags. */
  isAnswered: boolean;
}

/** How long a start or a change of the context waits for the server, before the provider is in error or stale. */
const patienceMs = 4000;
/** How long values count as current without contact to the server while the app is in the foreground. */
const staleAfterMs = 90_000;
const maxStates = 256;

/**
 * An OpenFeature provider for flags that the server evaluates for this device. Stored values are available immediately, even without
 * a network. After that, the provider follows the server while the app is in the foreground. See docs/reference/packages/flag-values.md for its events.
 */
export class WaftFlags implements Provider {
  readonly metadata = { name: 'waft' };
  readonly runsOn = 'client';
  readonly events = new OpenFeatureEventEmitter();
  readonly #parts: FlagParts;
  readonly #cache: FlagCache;
  readonly #read = new Map<string, string>();
  /** The values that the app gets, and the subject that they are of. During a change of the context these are the old ones. */
  #shown: { subject: FlagSubject; values: FlagValues; isFresh: boolean } | undefined;
  #use: Use | undefined;
  /** The last start or change of the context. OpenFeature waits for it, then makes the provider ready or puts it in error. */
  #settling: Promise<void> = Promise.resolve();
  /** The status that OpenFeature has for this provider. While a start or a change of the context settles, OpenFeature sets it. */
  #state: 'settling' | 'ready' | 'stale' | 'error' = 'settling';
  #following: AbortController | undefined;
  readonly #silence = new Countdown(staleAfterMs, this.#doubt.bind(this));
  #isStopped = false;
  #unsubscribe: (() => void) | undefined;

  constructor(parts: FlagParts) {
    this.#parts = parts;
    this.#cache = new FlagCache(parts.storage, `${parts.prefix}/flags`, parts.endpoint.channel);
  }

  /** Returns the values of the flags that the app has read, as strings. */
  states(): Record<string, string> {
    return Object.fromEntries(this.#read);
  }

  /** Starts with a context. Never shows values of another one. Fails without a response and stored values. */
  async initialize(context: EvaluationContext = {}): Promise<void> {
    this.#unsubscribe ??= this.#parts.foreground.subscribe(this.#follow.bind(this, false));
    this.#isStopped = false;
    this.#shown = undefined;
    await this.#change(context);
  }

  /** Changes the context. The old values stay until the storage or the server has the new ones. */
  async onContextChange(_before: EvaluationContext, context: EvaluationContext): Promise<void> {
    await this.#change(context);
  }

  /** Ends every connection, timer and listener. The provider can be initialized again. */
  onClose(): Promise<void> {
    this.#end();
    this.#use = undefined;
    this.#settling = Promise.resolve();
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    return Promise.resolve();
  }

  /** Stops following the server until start. The values stay, and without a connection on purpose they do not become stale. */
  stop(): void {
    this.#isStopped = true;
    this.#follow(false);
  }

  /** Follows the server again after stop. Otherwise it has no effect. */
  start(): void {
    if (this.#isStopped) {
      this.#isStopped = false;
      this.#follow(false);
    }
  }

  resolveBooleanEvaluation(key: string, byDefault: boolean): ResolutionDetails<boolean> {
    return this.#resolve(key, byDefault, (value) => typeof value === 'boolean');
  }

  resolveStringEvaluation(key: string, byDefault: string): ResolutionDetails<string> {
    return this.#resolve(key, byDefault, (value) => typeof value === 'string');
  }

  resolveNumberEvaluation(key: string, byDefault: number): ResolutionDetails<number> {
    return this.#resolve(key, byDefault, (value) => typeof value === 'number');
  }

  resolveObjectEvaluation<T extends JsonValue>(key: string, byDefault: T): ResolutionDetails<T> {
    return this.#resolve(key, byDefault, (value) => typeof value === 'object' && value !== null);
  }

  #resolve<T>(key: string, byDefault: T, fits: (value: unknown) => boolean): ResolutionDetails<T> {
    const shown = this.#shown;
    const details = resolution(shown?.values, key, byDefault, fits);
    if (!shown || details.errorCode) {
      return details;
    }
    if (this.#read.has(key) || this.#read.size < maxStates) {
      this.#read.set(key, valueText(details.value));
    }
    if (shown.subject !== this.#use?.subject) {
      return { ...details, reason: StandardResolutionReasons.STALE };
    }
    return shown.isFresh ? details : { ...details, reason: StandardResolutionReasons.CACHED };
  }

  /** Ends the use of the current context. */
  #end(): void {
    this.#use?.ends.abort();
    this.#following?.abort();
    this.#silence.pause();
    this.#silence.reset();
    this.#state = 'settling';
  }

  /** Resolves or fails with the last change of the context, because OpenFeature sets the provider's status after each. */
  async #change(context: EvaluationContext): Promise<void> {
    this.#settling = this.#adopt(context);
    let settling: Promise<void>;
    do {
      settling = this.#settling;
      await settling.catch(() => undefined);
    } while (settling !== this.#settling);
    await settling;
  }

  async #adopt(context: EvaluationContext): Promise<void> {
    this.#end();
    const use: Use = { ends: new AbortController(), isAsked: false, isAnswered: false };
    this.#use = use;
    const hasValues = await atMost(patienceMs, this.#ask(use, context), use.ends.signal);
    if (use !== this.#use) {
      return;
    }
    if (!hasValues) {
      this.#state = 'error';
      throw new Error('the server did not send the flags of this context, and none are stored; they are used as soon as they come');
    }
    this.#state = 'ready';
    if (!this.#shown?.isFresh) {
      void this.#check(use);
    }
  }

  /** Looks in the storage and asks the server at the same time. Resolves as soon as one of them has values, or none does. */
  async #ask(use: Use, context: EvaluationContext): Promise<boolean> {
    const subject = subjectOf(await this.#parts.deviceId, context);
    if (use !== this.#use) {
      return false;
    }
    use.subject = subject;
    const stored = this.#recall(use, subject);
    const asked = this.#load(use, subject, stored);
    use.asked = asked;
    return Promise.race([stored.then((has) => has || asked), asked.then((has) => has || stored)]);
  }

  /** Shows the stored values, if there are some. Returns true if so. */
  async #recall(use: Use, subject: FlagSubject): Promise<boolean> {
    const values = await this.#cache.read(subject);
    if (!values || use !== this.#use) {
      return false;
    }
    if (this.#shown?.subject !== subject) {
      this.#shown = { subject, values, isFresh: false };
    }
    return true;
  }

  /** Reads all flags, then follows them. Returns true if the server has sent them. */
  async #load(use: Use, subject: FlagSubject, stored: Promise<boolean>): Promise<boolean> {
    let has = false;
    try {
      const flags = await readFlags(this.#parts.endpoint, subject, use.ends.signal);
      await (this.#parts.freeze ? stored : undefined); // Frozen values are the stored ones, even if the storage is slow.
      if (use === this.#use) {
        this.#take(use, subject, { event: 'put', flags });
        has = true;
      }
    } catch {
      // The device is offline. The values stay, and following keeps trying.
    }
    use.isAsked = true;
    if (use === this.#use) {
      this.#follow(has);
    }
    return has;
  }

  /** Makes the provider stale if the server does not respond while stored values are shown. */
  async #check(use: Use): Promise<void> {
    const has = await atMost(patienceMs, use.asked ?? Promise.resolve(false), use.ends.signal);
    await new Promise((resolve) => setTimeout(resolve, 0)); // OpenFeature makes the provider ready first.
    if (use === this.#use && !has) {
      this.#doubt();
    }
  }

  #doubt(): void {
    if (this.#state === 'ready' && !this.#isStopped) {
      this.#state = 'stale';
      this.events.emit(ProviderEvents.Stale, { message: 'the server does not respond, so the values may be out of date' });
    }
  }

  /** Follows the flags in the foreground, and stops in the background. If isFresh, the flags were just read. */
  #follow(isFresh: boolean): void {
    this.#following?.abort();
    this.#silence.pause();
    const use = this.#use;
    if (!use?.subject || !use.isAsked || this.#isStopped || !this.#parts.foreground.isActive) {
      return;
    }
    const { subject } = use;
    const { endpoint, freeze } = this.#parts;
    if (freeze && use.isAnswered) {
      return;
    }
    const following = new AbortController();
    this.#following = following;
    const listener: FlagListener = {
      onChange: (change) => {
        this.#take(use, subject, change);
        if (freeze) {
          following.abort(); // The next start has values now.
        }
      },
      onContact: () => {
        this.#silence.reset();
      },
    };
    if (freeze) {
      void pollFlags(endpoint, subject, following.signal, 1000, listener);
      return;
    }
    this.#silence.resume();
    void followFlags(endpoint, subject, following.signal, isFresh, listener);
  }

  /** Takes a change from the server. Frozen values, or a start's frozen defaults, stay: only the next start gets the new values. */
  #take(use: Use, subject: FlagSubject, change: FlagChange): void {
    use.isAnswered = true;
    const shown = this.#shown?.subject === subject ? this.#shown : undefined;
    if (!shown && change.event !== 'put') {
      return; // The shown values are of another context.
    }
    const before = this.#shown?.values ?? {};
    const values = changed(shown?.values ?? {}, change);
    this.#cache.write(subject, values);
    const status = this.#state;
    const isFrozen = this.#parts.freeze && (shown !== undefined || (status !== 'settling' && !this.#shown));
    if (!isFrozen) {
      this.#shown = { subject, values, isFresh: true };
    }
    if (status === 'stale' || (status === 'error' && !isFrozen)) {
      this.#state = 'ready';
      this.events.emit(ProviderEvents.Ready);
    }
    const flagsChanged = isFrozen || status === 'settling' ? [] : differing(before, values);
    if (flagsChanged.length > 0) {
      this.events.emit(ProviderEvents.ConfigurationChanged, { flagsChanged });
    }
  }
}
