/**
 * Waft's feature flags in servers, with `@openfeature/server-sdk`.
 *
 * @packageDocumentation
 */
import {
  type EvaluationContext, type JsonValue, OpenFeatureEventEmitter, type Provider, ProviderEvents, type ResolutionDetails,
} from '@openfeature/server-sdk';
import { Engine } from './engine.js';
import { type WaftOptions, readOptions } from './options.js';

export type { WaftOptions };

/** Evaluates Waft's flags in the server's process, for any user. */
export class WaftServerProvider implements Provider {
  /** The provider's name. */
  readonly metadata = { name: 'WaftServerProvider' } as const;
  /** The provider is for servers. */
  readonly runsOn = 'server';
  /** Emits changes and failures to the SDK. */
  readonly events = new OpenFeatureEventEmitter();
  private readonly engine: Engine;

  /** Throws an error that names every wrong setting. */
  constructor(options: WaftOptions) {
    this.engine = new Engine(readOptions(this.metadata.name, options), (event, details) => {
      this.events.emit(ProviderEvents[event], details);
    });
  }

  /** Resolves when the flags are read. Rejects if the first request fails, or after four seconds; later requests continue. */
  initialize(): Promise<void> {
    return this.engine.initialize();
  }

  /** Ends all connections, and reports the last evaluations. */
  onClose(): Promise<void> {
    return this.engine.close();
  }

  /** Evaluates a boolean flag. */
  resolveBooleanEvaluation(flagKey: string, defaultValue: boolean, context: EvaluationContext): Promise<ResolutionDetails<boolean>> {
    return Promise.resolve(this.engine.resolve('boolean', flagKey, defaultValue, context));
  }

  /** Evaluates a string flag. */
  resolveStringEvaluation(flagKey: string, defaultValue: string, context: EvaluationContext): Promise<ResolutionDetails<string>> {
    return Promise.resolve(this.engine.resolve('string', flagKey, defaultValue, context));
  }

  /** Evaluates a number flag. */
  resolveNumberEvaluation(flagKey: string, defaultValue: number, context: EvaluationContext): Promise<ResolutionDetails<number>> {
    return Promise.resolve(this.engine.resolve('number', flagKey, defaultValue, context));
  }

  /** Evaluates a JSON flag. The value is frozen. */
  resolveObjectEvaluation<T extends JsonValue>(flagKey: string, defaultValue: T, context: EvaluationContext): Promise<ResolutionDetails<T>> {
    return Promise.resolve(this.engine.resolve('json', flagKey, defaultValue, context));
  }
}
