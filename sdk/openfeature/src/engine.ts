import { ErrorCode, type EvaluationContext, type ResolutionDetails } from '@openfeature/core';
import type { Context } from './context.js';
import type { FlagType } from './definitions.js';
import { Feed } from './feed.js';
import type { Outcome } from './flag.js';
import type { FlagSet } from './flagset.js';
import type { Settings } from './options.js';
import { Reporter } from './reporter.js';

/** Emits an event to the SDK. The event has its name in OpenFeature's enumeration. */
export type Tell = (event: 'Ready' | 'ConfigurationChanged' | 'Stale' | 'Error', details: { message?: string; flagsChanged?: string[] }) => void;

/** Fields of OpenFeature's context that are built-in attributes. */
const builtins = ['targetingKey', 'deviceId', 'channel', 'platform', 'runtimeVersion', 'updateUuid'] as const;

type Builtins = Record<(typeof builtins)[number], string>;

/** The common part of the providers for servers and web pages. */
export class Engine {
  private readonly reporter: Reporter;
  private feed: Feed | undefined;
  private lastFailure = 'it was not asked yet';

  constructor(private readonly settings: Settings, private readonly tell: Tell) {
    this.reporter = new Reporter(settings);
  }

  /**
   * Starts to follow the flags. Resolves after the server's first response. Also resolves if the first request fails;
   * then it emits an error to the SDK.
   */
  initialize(): Promise<void> {
    const feed = new Feed(this.settings, {
      onFlags: (flags, before) => {
        const flagsChanged = before ? flags.changedSince(before) : [];
        if (flagsChanged.length > 0) this.tell('ConfigurationChanged', { flagsChanged });
      },
      onRecovery: () => {
        this.tell('Ready', {});
      },
      onFailure: (message) => {
        this.lastFailure = message;
        if (feed.flags) this.tell('Stale', { message });
      },
    });
    this.feed = feed;
    this.reporter.start(() => feed.failures === 0);
    const started = feed.start();
    // The SDK marks the provider as ready in the first callback of this promise. This callback runs right after it.
    void started.then().then(() => {
      if (!feed.flags && this.feed === feed) this.tell('Error', { message: this.lastFailure });
    });
    return started;
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
