import { ErrorCode, type EvaluationContext, type ResolutionDetails } from '@openfeature/core';
import type { Context } from './context.js';
import type { FlagType } from './definitions.js';
import { Feed, definitionsUrl } from './feed.js';
import type { Outcome } from './flag.js';
import type { FlagSet } from './flagset.js';
import type { Settings } from './options.js';
import { Reporter } from './reporter.js';

/** Emits an event to the SDK. The event has its name in OpenFeature's enumeration. */
export type Tell = (event: 'Ready' | 'ConfigurationChanged' | 'Stale' | 'Error', details: { message?: string; flagsChanged?: string[] }) => void;

/** Fields of OpenFeature's context that are built-in attributes. */
const builtins = ['targetingKey', 'deviceId', 'channel', 'platform', 'runtimeVersion', 'updateUuid'] as const;

type Builtins = Record<(typeof builtins)[number], string>;

/** How long initialize waits for the server's first response, in milliseconds. */
const patience = 4000;

/** The common part of the providers for servers and web pages. */
export class Engine {
  private readonly reporter: Reporter;
  private feed: Feed | undefined;
  private lastFailure = 'it was not asked yet';
  /** The status that the SDK has for the provider. While initialize runs, the SDK sets it. */
  private status: 'starting' | 'ready' | 'stale' | 'error' = 'starting';
  private starting: Promise<void> | undefined;

  constructor(private readonly settings: Settings, private readonly tell: Tell) {
    this.reporter = new Reporter(settings);
  }

  /**
   * Starts to follow the flags. Resolves when they are read. Rejects if the first request fails or takes too long; later
   * requests continue, and the first that succeeds makes the provider ready.
   */
  initialize(): Promise<void> {
    this.starting = this.start();
    return this.starting;
  }

  private async start(): Promise<void> {
    this.status = 'starting';
    this.lastFailure = `${definitionsUrl(this.settings)} did not respond yet`;
    const feed = new Feed(this.settings, {
      onFlags: (flags, before) => {
        const flagsChanged = before ? flags.changedSince(before) : [];
        if (flagsChanged.length > 0) this.tell('ConfigurationChanged', { flagsChanged });
      },
      onContact: () => {
        this.lastFailure = `${definitionsUrl(this.settings)} does not respond`;
        if (this.status === 'starting' || this.status === 'ready') return;
        this.status = 'ready';
        this.tell('Ready', {});
      },
      onFailure: (message) => {
        const isNew = message !== this.lastFailure;
        this.lastFailure = message;
        if (this.status === 'error' && isNew) this.tell('Error', { message });
      },
      onSilence: () => {
        this.status = 'stale';
        this.tell('Stale', { message: this.lastFailure });
      },
    });
    this.feed = feed;
    this.reporter.start(() => feed.failures === 0);
    await within(patience, feed.start());
    if (this.feed !== feed) return;
    this.status = feed.flags ? 'ready' : 'error';
    if (!feed.flags) throw new Error(this.lastFailure);
  }

  /**
   * Keeps the provider's status true when the context changes. Evaluations do not need a request for the new context, but
   * after a change the SDK calls the provider ready, unless this function rejects.
   */
  onContextChange(): Promise<void> | void {
    if (this.status === 'starting') return this.starting;
    if (this.status === 'error') return Promise.reject(new Error(this.lastFailure));
    if (this.status === 'stale') {
      void Promise.resolve().then(() => {
        if (this.status === 'stale') this.tell('Stale', { message: this.lastFailure });
      });
    }
  }

  /** Stops following the flags, and reports the last evaluations. */
  async close(): Promise<void> {
    this.feed?.stop();
    this.feed = undefined;
    await this.reporter.stop();
  }

  /** Reports the evaluations up to now. */
  flush(): void {
    void this.reporter.flush();
  }

  /** Evaluates a flag. Never throws: if there is an error, returns it with the default. */
  resolve<T>(type: FlagType, flagKey: string, defaultValue: T, evaluationContext: EvaluationContext): ResolutionDetails<T> {
    const failed = (errorCode: ErrorCode, errorMessage: string): ResolutionDetails<T> => ({
      value: defaultValue, reason: 'ERROR', errorCode, errorMessage,
    });
    const flags = this.feed?.flags;
    if (!flags) return failed(ErrorCode.PROVIDER_NOT_READY, `the flags are not known yet: ${this.lastFailure}`);
    const flag = flags.flag(flagKey);
    if (!flag) {
      return failed(ErrorCode.FLAG_NOT_FOUND, `the project ${this.settings.project} has no flag "${flagKey}" for the channel ${this.settings.channel}`);
    }
    if (flag.type !== type) return failed(ErrorCode.TYPE_MISMATCH, `the flag "${flagKey}" is of type ${flag.type}, not ${type}`);
    const known = this.readBuiltins(evaluationContext);
    if (typeof known === 'string') return failed(ErrorCode.INVALID_CONTEXT, known);
    const outcome = flag.evaluate(contextOf(known, evaluationContext, flags));
    this.count(flagKey, outcome, known, evaluationContext);
    const { value, variant, reason } = outcome;
    return { value: value as T, reason, ...(variant !== undefined && { variant }) };
  }

  /** Returns the built-in attributes of a context, or an error message about them. */
  private readBuiltins(given: EvaluationContext): Builtins | string {
    const known: Builtins = { ...this.settings, targetingKey: '' };
    for (const name of builtins) {
      const value = given[name] ?? '';
      if (typeof value !== 'string') return `context.${name} must be a string`;
      if (value) known[name] = value;
    }
    if (known.channel !== this.settings.channel) {
      return `context.channel is ${known.channel}, but the provider has the flags of ${this.settings.channel}`;
    }
    known.targetingKey ||= known.deviceId;
    const running = [given.updateUuid, given.update_id, given['ota.update_id'], this.settings.updateUuid];
    known.updateUuid = (running.find((id) => typeof id === 'string' && id !== '') as string | undefined) ?? '';
    return known;
  }

  private count(flagKey: string, outcome: Outcome, { targetingKey, deviceId }: Builtins, given: EvaluationContext): void {
    const named = typeof given.kind === 'string' ? given.kind : undefined;
    this.reporter.count(flagKey, outcome, targetingKey, named ?? (targetingKey === deviceId ? 'device' : undefined));
  }
}

function contextOf(known: Builtins, given: EvaluationContext, flags: FlagSet): Context {
  const updateUuid = known.updateUuid.toLowerCase();
  const attributes: Record<string, unknown> = Object.fromEntries(
    Object.entries(given).filter(([name]) => !(builtins as readonly string[]).includes(name)),
  );
  return { ...known, updateUuid, update: flags.update(updateUuid), attributes, now: Date.now() };
}

/** Waits for a promise, but not longer than a time in milliseconds. */
async function within(ms: number, promise: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  await Promise.race([promise, new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))]);
  clearTimeout(timer);
}
