import { OpenFeatureProvider, type EvaluationContext } from '@openfeature/react-sdk';
import { useUpdates } from 'expo-updates';
import {
  Component, createContext, useContext, useMemo, useSyncExternalStore, type ErrorInfo, type ReactNode,
} from 'react';
import { useFlagBinding, useIsInOpenFeature } from './flagbinding';
import { FlagsFirst } from './flagsfirst';
import { Held } from './held';
import type { UpdatesState } from './updatestate';
import type { Waft } from './waft';

declare const __DEV__: boolean | undefined;

const Current = /* @__PURE__ */ createContext<Waft | undefined>(undefined);

/** Properties of WaftProvider. */
export interface WaftProviderProps {
  /** The Waft from createWaft. */
  waft: Waft;
  /**
   * The OpenFeature domain for the flags.
   *
   * @defaultValue the default domain, unless that has another provider already
   */
  domain?: string | undefined;
  /**
   * The context that flags are evaluated for, for example `{ targetingKey: user.id }`. Without it, the context that the app has
   * given to OpenFeature stays. When it is removed, for example after a user signs out, the context is cleared.
   *
   * @defaultValue the context that the app has given to OpenFeature
   */
  context?: EvaluationContext | undefined;
  /**
   * Shown instead of the children until their flags are known, so that the first frame of the children has the right ones. Stored flags
   * are known within milliseconds. Without them, the provider waits for the server, for at most 4 seconds.
   *
   * @defaultValue none: the children are shown immediately, with the default values of flags
   */
  loading?: ReactNode;
  /**
   * The app.
   *
   * @defaultValue none
   */
  children?: ReactNode;
}

/**
 * Starts health, updates and flags. When the last provider of the Waft unmounts, it stops them. Components inside can read flags with
 * the hooks of `@openfeature/react-sdk`. If the app has set another provider for OpenFeature's default domain, that provider stays, and
 * the flags of Waft need a `domain`.
 *
 * @param props - the Waft, and the domain and the context of its flags
 */
export function WaftProvider({ waft, domain, context, loading, children }: WaftProviderProps): ReactNode {
  if (!(waft as Waft | undefined)?.flags) {
    throw new Error('@waft/expo: <WaftProvider> needs the result of createWaft: <WaftProvider waft={waft}>');
  }
  // Start before the children render, because their first render may already fail. A second start has no effect.
  useMemo(() => {
    waft.start();
  }, [waft]);
  const isBound = useFlagBinding(waft.flags, domain, context);
  const keepsOuter = useIsInOpenFeature() && !isBound;
  return (
    <Current.Provider value={waft}>
      <Held waft={waft}>
        {keepsOuter ? children : (
          <OpenFeatureProvider {...(domain ? { domain } : {})}>
            {loading === undefined ? children : <FlagsFirst loading={loading}>{children}</FlagsFirst>}
          </OpenFeatureProvider>
        )}
      </Held>
    </Current.Provider>
  );
}

/** Returns the Waft of the surrounding WaftProvider. */
export function useWaft(): Waft {
  const waft = useContext(Current);
  if (!waft) {
    throw new Error('@waft/expo: useWaft and useWaftUpdates need a <WaftProvider> above the component that calls them');
  }
  return waft;
}

/** The result of useWaftUpdates. */
export interface WaftUpdates extends UpdatesState {
  /** The downloaded part of the update, from 0 to 1. */
  progress: number;
  /** Checks for an update now and downloads it. The function is the same at every render. */
  check: () => Promise<UpdatesState>;
  /** Restarts the app with the downloaded update. */
  restart: () => Promise<void>;
}

/** Returns the current state of updates. */
export function useWaftUpdates(): WaftUpdates {
  const { updates } = useWaft();
  // The functions are the same at every render, so that an effect that depends on them runs once.
  const { subscribe, state: current, check, restart } = useMemo(
    () => ({
      subscribe: (listener: () => void) => updates.subscribe(listener),
      state: () => updates.state,
      check: () => updates.check(),
      restart: () => updates.restart(),
    }),
    [updates],
  );
  const state = useSyncExternalStore(subscribe, current, current);
  const { downloadProgress } = useUpdates();
  return { ...state, progress: state.status === 'ready' ? 1 : (downloadProgress ?? 0), check, restart };
}

/** Properties of WaftErrorBoundary. */
export interface WaftErrorBoundaryProps {
  /**
   * Shown instead of failed children, or a function of the error that returns it.
   *
   * @defaultValue `null`, which shows an empty space
   */
  fallback?: ReactNode | ((error: unknown, retry: () => void) => ReactNode);
  /**
   * The children, which may fail to render.
   *
   * @defaultValue none
   */
  children?: ReactNode;
}

/** Keeps the rest of the screen working if the children fail to render, and reports the failure as `js_error`. */
export class WaftErrorBoundary extends Component<WaftErrorBoundaryProps, { failure: { error: unknown } | undefined }> {
  /** Gives the boundary the Waft of the surrounding WaftProvider. */
  static override contextType = Current;
  /** The error of failed children. */
  override state: { failure: { error: unknown } | undefined } = { failure: undefined };

  /** Called by React when the children have failed. */
  static getDerivedStateFromError(error: unknown): { failure: { error: unknown } } {
    return { failure: { error } };
  }

  /** Called by React when the children have failed. Reports the error. */
  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    const waft = this.context as Waft | undefined;
    if (waft) {
      waft.health.captureException(error, { componentStack: info.componentStack });
    } else if (typeof __DEV__ !== 'undefined' && __DEV__) {
      console.warn('@waft/expo: a <WaftErrorBoundary> does not report this error; put it inside <WaftProvider>');
    }
  }

  /** Renders the children, or the fallback after they have failed. */
  override render(): ReactNode {
    const { failure } = this.state;
    if (!failure) {
      return this.props.children;
    }
    const { fallback = null } = this.props;
    const retry = (): void => {
      this.setState({ failure: undefined });
    };
    return typeof fallback === 'function' ? fallback(failure.error, retry) : fallback;
  }
}
