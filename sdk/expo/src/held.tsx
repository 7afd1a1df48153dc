import { Component, useEffect, type ReactNode } from 'react';
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

/** Notes that the children failed, and leaves the failure to the app's own boundaries. */
class Watched extends Component<HeldProps, { failure: { error: unknown } | undefined }> {
  override state: { failure: { error: unknown } | undefined } = { failure: undefined };

  static getDerivedStateFromError(error: unknown): { failure: { error: unknown } } {
    return { failure: { error } };
  }

  override render(): ReactNode {
    const { failure } = this.state;
    if (failure) {
      failed.add(this.props.waft);
      throw failure.error;
    }
    return this.props.children;
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
