import { OpenFeature, OpenFeatureProvider, type EvaluationContext } from '@openfeature/react-sdk';
import { useUpdates } from 'expo-updates';
import {
  Component, createContext, useContext, useEffect, useMemo, useSyncExternalStore, type ErrorInfo, type ReactNode,
} from 'react';
import type { UpdatesState } from './updates';
import type { Waft } from './waft';

const Current = /* @__PURE__ */ createContext<Waft | undefined>(undefined);

/** Properties of WaftProvider. */
export interface WaftProviderProps {
  /** What createWaft made. */
  waft: Waft;
  /** For whom flags are evaluated, for example `{ targetingKey: user.id }`; by default the device. */
  context?: EvaluationContext;
  /** The app. */
  children?: ReactNode;
}

/** Starts health, updates and flags. Below it, the hooks of `@openfeature/react-sdk` read flags. */
export function WaftProvider({ waft, context, children }: WaftProviderProps): ReactNode {
  const contextText = textOf(context);
  // Before the children, whose first rendering may already fail or read a flag. To start twice does nothing.
  useMemo(() => {
    waft.start();
    if (OpenFeature.getProvider() !== waft.flags) {
      OpenFeature.setProvider(waft.flags, JSON.parse(contextText) as EvaluationContext);
    }
  }, [waft]);
  useEffect(() => {
    if (contextText !== textOf(OpenFeature.getContext())) {
      void OpenFeature.setContext(JSON.parse(contextText) as EvaluationContext);
    }
  }, [contextText]);
  return (
    <Current.Provider value={waft}>
      <OpenFeatureProvider>{children}</OpenFeatureProvider>
    </Current.Provider>
  );
}

/** The context as JSON. What JSON does not have, such as an object inside itself, leaves a context of the device alone. */
function textOf(context: EvaluationContext | undefined): string {
  try {
    return JSON.stringify(context ?? {});
  } catch {
    return '{}';
  }
}

/** The Waft of the WaftProvider above. */
export function useWaft(): Waft {
  const waft = useContext(Current);
  if (!waft) {
    throw new Error('@waft/expo: there is no <WaftProvider> above this component');
  }
  return waft;
}

/** What useWaftUpdates answers. */
export interface WaftUpdates extends UpdatesState {
  /** How much of the update is downloaded, from 0 to 1. */
  progress: number;
  /** Looks for an update now and downloads it. It is the same function at every render. */
  check: () => Promise<UpdatesState>;
  /** Restarts the app with the downloaded update. */
  restart: () => Promise<void>;
}

/** What is known of updates, current at every render. */
export function useWaftUpdates(): WaftUpdates {
  const { updates } = useWaft();
  // The same functions at every render: an effect that depends on them runs once.
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
  /** What is shown instead of children that failed, or a function of the error. */
  fallback?: ReactNode | ((error: unknown, retry: () => void) => ReactNode);
  /** What may fail to render. */
  children?: ReactNode;
}

/** Keeps the rest of the screen alive when the children fail to render, and reports that as `js_error`. */
export class WaftErrorBoundary extends Component<WaftErrorBoundaryProps, { failure: { error: unknown } | undefined }> {
  /** Gives the boundary the Waft of the WaftProvider above. */
  static override contextType = Current;
  /** The error that the children failed with. */
  override state: { failure: { error: unknown } | undefined } = { failure: undefined };

  /** Called by React when the children failed. */
  static getDerivedStateFromError(error: unknown): { failure: { error: unknown } } {
    return { failure: { error } };
  }

  /** Called by React when the children failed: reports the error. */
  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    const waft = this.context as Waft | undefined;
    waft?.health.captureException(error, info.componentStack ? { componentStack: info.componentStack } : {});
  }

  /** The children, or the fallback when they failed. */
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
