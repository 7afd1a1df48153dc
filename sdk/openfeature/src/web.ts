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

/** Evaluates Waft's flags in the page, for the context set in the SDK. */
export class WaftWebProvider implements Provider {
  /** The provider's name. */
  readonly metadata = { name: 'WaftWebProvider' } as const;
  /** The provider is for clients. */
  readonly runsOn = 'client';
  /** Emits changes and failures to the SDK. */
  readonly events = new OpenFeatureEventEmitter();
  private readonly engine: Engine;
  private readonly onHidden = () => {
    if (document.visibilityState === 'hidden') this.engine.flush();
  };

  /** Throws an error that names every wrong setting. */
  constructor(options: WaftOptions) {
    this.engine = new Engine(readOptions(this.metadata.name, options), (event, details) => {
      this.events.emit(ProviderEvents[event], details);
    });
  }

  /** Resolves when the flags are read. Rejects if the first request fails, or after four seconds; later requests continue. */
  initialize(): Promise<void> {
    // A hidden page may never become visible again, so report its evaluations now.
    if (typeof document !== 'undefined') document.addEventListener('visibilitychange', this.onHidden);
    return this.engine.initialize();
  }

  /** Does not send a request, because flags are evaluated in the page. The provider's status stays as it is. */
  onContextChange(): Promise<void> | void {
    return this.engine.onContextChange();
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
