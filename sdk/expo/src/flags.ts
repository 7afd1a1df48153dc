import {
  ErrorCode, OpenFeatureEventEmitter, ProviderEvents, StandardResolutionReasons,
  type EvaluationContext, type JsonValue, type Provider, type ResolutionDetails,
} from '@openfeature/web-sdk';
import { atMost } from './atmost';
import type { Foreground } from './foreground';
import { followFlags, readFlags, type FlagEndpoint, type FlagSubject } from './flagsource';
import { areFlags, changed, differing, valueText, type FlagChange, type FlagValues } from './flagvalues';
import { Stored, type KeyValueStorage } from './storage';

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

interface Cache {
  /** Identifies the subject of the values, see identityOf. */
  identity: string;
  flags: FlagValues;
}

/** How long a start without stored values waits for the server. */
const patienceMs = 3000;
/** How often flags are read if rules may depend on attributes, which the flag stream does not support. */
const pollEveryMs = 60_000;
const maxStates = 256;

/**
 * An OpenFeature provider for flags that the server evaluates for this device. Stored values are available immediately, even
 * without a network. After that, the provider follows the server while the app is in the foreground.
 */
export class WaftFlags implements Provider {
  readonly metadata = { name: 'waft' };
  readonly runsOn = 'client';
  readonly events = new OpenFeatureEventEmitter();
  readonly #parts: FlagParts;
  readonly #stored: Stored<Cache>;
  readonly #read = new Map<string, string>();
  #values: FlagValues = {};
  #isFresh = false;
  #following: AbortController | undefined;
  #subject: FlagSubject | undefined;
  /** Number of the last change of the subject, including onClose, which removes it. */
  #turn = 0;
  #unsubscribe: (() => void) | undefined;

  constructor(parts: FlagParts) {
    this.#parts = parts;
    this.#stored = new Stored(parts.storage, `${parts.prefix}/flags`);
  }

  /** Returns the values of the flags that the app has read, as strings. */
  states(): Record<string, string> {
    return Object.fromEntries(this.#read);
  }

  async initialize(context: EvaluationContext = {}): Promise<void> {
    this.#unsubscribe ??= this.#parts.foreground.subscribe(() => {
      this.#follow();
    });
    await this.#use(context);
  }

  async onContextChange(_before: EvaluationContext, context: EvaluationContext): Promise<void> {
    await this.#use(context);
  }

  onClose(): Promise<void> {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    this.#turn += 1;
    this.#subject = undefined;
    this.#following?.abort();
    return Promise.resolve();
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
    const flag = Object.hasOwn(this.#values, key) ? this.#values[key] : undefined;
    const failed = { value: byDefault, reason: StandardResolutionReasons.ERROR };
    if (!flag) {
      return { ...failed, errorCode: ErrorCode.FLAG_NOT_FOUND, errorMessage: `there is no flag "${key}"` };
    }
    if (!fits(flag.value)) {
      return { ...failed, errorCode: ErrorCode.TYPE_MISMATCH, errorMessage: `the flag "${key}" has a value of another type` };
    }
    if (this.#read.has(key) || this.#read.size < maxStates) {
      this.#read.set(key, valueText(flag.value));
    }
    return {
      value: flag.value as T,
      reason: this.#isFresh ? flag.reason : StandardResolutionReasons.CACHED,
      ...(flag.variant === undefined ? {} : { variant: flag.variant }),
    };
  }

  async #use(context: EvaluationContext): Promise<void> {
    this.#turn += 1;
    const turn = this.#turn;
    const { targetingKey, ...attributes } = context;
    const given = { ...(targetingKey ? { targetingKey } : {}), attributes: plain(attributes) };
    this.#subject = undefined;
    this.#following?.abort();
    const [deviceId, cache] = await Promise.all([this.#parts.deviceId, this.#stored.read()]);
    if (turn !== this.#turn) {
      return; // The context has changed again, or the provider was closed.
    }
    const subject: FlagSubject = { deviceId, ...given };
    this.#subject = subject;
    const hasCache = cache?.identity === identityOf(subject) && areFlags(cache.flags);
    this.#isFresh = false;
    this.#values = hasCache ? cache.flags : {};
    const loading = this.#load(subject, this.#parts.freeze && hasCache);
    if (!hasCache) {
      await atMost(patienceMs, loading);
    }
  }

  /** Reads all flags, then follows them. With onlyKeep, only stores the values for the next start. */
  async #load(subject: FlagSubject, onlyKeep: boolean): Promise<void> {
    const started = Date.now();
    try {
      const flags = await readFlags(this.#parts.endpoint, subject);
      if (subject === this.#subject) {
        const late = this.#parts.freeze && Date.now() - started > patienceMs;
        this.#take(subject, { event: 'put', flags }, onlyKeep || late);
      }
    } catch {
      // The device is offline. The values stay, and following keeps trying.
    }
    if (subject === this.#subject) {
      this.#follow();
    }
  }

  #follow(): void {
    this.#following?.abort();
    const subject = this.#subject;
    if (!subject || this.#parts.freeze || !this.#parts.foreground.isActive) {
      return;
    }
    const following = new AbortController();
    this.#following = following;
    if (Object.keys(subject.attributes).length === 0) {
      void followFlags(this.#parts.endpoint, subject, following.signal, (change) => {
        if (!following.signal.aborted) {
          this.#take(subject, change, false);
        }
      });
      return;
    }
    const look = async (): Promise<void> => {
      const flags = await readFlags(this.#parts.endpoint, subject).catch(() => undefined);
      if (flags && !following.signal.aborted) {
        this.#take(subject, { event: 'put', flags }, false);
      }
    };
    if (!this.#isFresh) {
      void look();
    }
    const timer = setInterval(() => void look(), pollEveryMs);
    following.signal.addEventListener('abort', () => {
      clearInterval(timer);
    });
  }

  #take(subject: FlagSubject, change: FlagChange, onlyKeep: boolean): void {
    const after = changed(this.#values, change);
    void this.#stored.write({ identity: identityOf(subject), flags: after });
    if (onlyKeep) {
      return;
    }
    const flagsChanged = differing(this.#values, after);
    this.#values = after;
    this.#isFresh = true;
    if (flagsChanged.length > 0) {
      this.events.emit(ProviderEvents.ConfigurationChanged, { flagsChanged });
    }
  }
}

/** Returns the attributes as plain JSON values. */
function plain(attributes: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(attributes)) as Record<string, unknown>;
}

function identityOf(subject: FlagSubject): string {
  const attributes = Object.entries(subject.attributes).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([subject.targetingKey ?? '', attributes]);
}
