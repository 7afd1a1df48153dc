/**
 * Waft's feature flags in web pages, with `@openfeature/web-sdk` or `@openfeature/react-sdk`.
 *
 * @packageDocumentation
 */
import {
  type EvaluationContext, type JsonValue, OpenFeatureEventEmitter, type Provider, ProviderEvents, type ResolutionDetails,
} from '@openfeature/web-sdk';
import { Engine } from './engine.js';
import { type WaftOptions, readOptions } from './options.js';

export type { WaftOptions };

/** Evaluates Waft's flags in the page, for the context that is set in the SDK. */
export class WaftWebProvider implements Provider {
  /** The provider's name. */
  readonly metadata = { name: 'WaftWebProvider' } as const;
  /** It is for clients. */
  readonly runsOn = 'client';
  /** Tells the SDK about changes and failures. */
  readonly events = new OpenFeatureEventEmitter();
  private readonly engine: Engine;
  private readonly onHidden = () => {
    if (document.visibilityState === 'hidden') this.engine.flush();
  };

  /** Throws an error that names every setting that is wrong. */
  constructor(options: WaftOptions) {
    this.engine = new Engine(readOptions(this.metadata.name, options), (event, details) => {
      this.events.emit(ProviderEvents[event], details);
    });
  }

  /** Resolves after Waft's first answer, or without one after at most ten seconds. It never rejects. */
  initialize(): Promise<void> {
    // A page that is hidden may never be seen again.
    if (typeof document !== 'undefined') document.addEventListener('visibilitychange', this.onHidden);
    return this.engine.initialize();
  }

  /** Ends all connections, and reports the last evaluations. */
  onClose(): Promise<void> {
    if (typeof document !== 'undefined') document.removeEventListener('visibilitychange', this.onHidden);
    return this.engine.close();
  }

  /** Evaluates a boolean flag. */
  resolveBooleanEvaluation(flagKey: string, defaultValue: boolean, context: EvaluationContext): ResolutionDetails<boolean> {
    return this.engine.resolve('boolean', flagKey, defaultValue, context);
  }

  /** Evaluates a string flag. */
  resolveStringEvaluation(flagKey: string, defaultValue: string, context: EvaluationContext): ResolutionDetails<string> {
    return this.engine.resolve('string', flagKey, defaultValue, context);
  }

  /** Evaluates a number flag. */
  resolveNumberEvaluation(flagKey: string, defaultValue: number, context: EvaluationContext): ResolutionDetails<number> {
    return this.engine.resolve('number', flagKey, defaultValue, context);
  }

  /** Evaluates a JSON flag. The value is frozen. */
  resolveObjectEvaluation<T extends JsonValue>(flagKey: string, defaultValue: T, context: EvaluationContext): ResolutionDetails<T> {
    return this.engine.resolve('json', flagKey, defaultValue, context);
  }
}
