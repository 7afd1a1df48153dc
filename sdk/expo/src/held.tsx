import { Component, useEffect, type ErrorInfo, type ReactNode } from 'react';
import { atMost } from './atmost';
import type { Waft } from './waft';

/** Numbers of mounted components that use each Waft. */
const holders = /* @__PURE__ */ new WeakMap<Waft, number>();
/** The Wafts whose components failed. */
const failed = /* @__PURE__ */ new WeakSet<Waft>();

interface HeldProps {
  waft: Waft;
  children: ReactNode;
}

/**
 * Keeps a Waft started while it is mounted, even while React hides it behind a Suspense. The last one stops the Waft, unless it is mounted
 * again immediately, as StrictMode does, or its children failed: then React unmounts them, and the Waft still has to report why the app ends.
 */
export function Held({ waft, children }: HeldProps): ReactNode {
  useEffect(() => {
    hold(waft);
    return () => {
      release(waft);
    };
  }, [waft]);
  return <Watched waft={waft}>{children}</Watched>;
}

/** The longest wait for the report of a failure, as after other fatal errors. */
const lastWordsMs = 2000;

/**
 * Reports children that fail to render as a crash, and then passes the error on. React Native ends the app after such an error, unless the
 * app has a boundary above, and does not call the handler of uncaught errors.
 */
class Watched extends Component<HeldProps, { failure: { error: unknown; isReported: boolean } | undefined }> {
  override state: { failure: { error: unknown; isReported: boolean } | undefined } = { failure: undefined };

  static getDerivedStateFromError(error: unknown): { failure: { error: unknown; isReported: boolean } } {
    return { failure: { error, isReported: false } };
  }

  override componentDidCatch(error: unknown, { componentStack }: ErrorInfo): void {
    const { health } = this.props.waft;
    failed.add(this.props.waft);
    health.captureException(error, { isFatal: true, ...(componentStack ? { componentStack } : {}) });
    void atMost(lastWordsMs, health.flush()).then(() => {
      this.setState({ failure: { error, isReported: true } });
    });
  }

  override render(): ReactNode {
    const { failure } = this.state;
    if (failure?.isReported) {
      throw failure.error;
    }
    return failure ? null : this.props.children;
  }
}

function hold(waft: Waft): void {
  holders.set(waft, (holders.get(waft) ?? 0) + 1);
  failed.delete(waft);
  waft.start();
}

function release(waft: Waft): void {
  holders.set(waft, (holders.get(waft) ?? 1) - 1);
  void Promise.resolve().then(() => {
    if (holders.get(waft) === 0 && !failed.has(waft)) {
      waft.stop();
    }
  });
}
