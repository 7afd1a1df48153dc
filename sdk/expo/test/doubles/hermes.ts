/** A handler of rejections, as the options of a tracker have it. */
export interface TrackerOptions {
  allRejections?: boolean;
  onUnhandled?: (id: number, error: unknown) => void;
  onHandled?: (id: number) => void;
}

type Hook = ((promise: HermesPromise<unknown>, error?: unknown) => void) | null;
type Executor<T> = (resolve: (value: T | PromiseLike<T>) => void, reject: (error: unknown) => void) => void;

const NativePromise = Promise;

/**
 * A double of the Promise of Hermes. Hermes implements it in JavaScript. It calls the hook `_m` with each rejected promise. It
 * calls the hook `_l` for each handler: when the handler is added, and again when a promise with handlers is rejected.
 */
class HermesPromise<T> extends NativePromise<T> {
  static _l: Hook = null;
  static _m: Hook = null;
  static _n = (): void => undefined;
  /** Number of handlers. */
  _h = 0;
  /** 2 if the promise is rejected. */
  _i = 0;
  /** Number that the tracker gives the promise. */
  _o: number | undefined;

  constructor(executor: Executor<T>) {
    const seen: { isSettled: boolean; failure?: { error: unknown }; tell?: (error: unknown) => void } = { isSettled: false };
    super((resolve, reject) => {
      const fail = (error: unknown): void => {
        if (!seen.isSettled) {
          seen.isSettled = true;
          seen.failure = { error };
          reject(error);
          seen.tell?.(error);
        }
      };
      try {
        executor((value) => {
          seen.isSettled = true;
          resolve(value);
        }, fail);
      } catch (error) {
        fail(error);
      }
    });
    seen.tell = (error) => {
      this.#rejected(error);
    };
    if (seen.failure) {
      this.#rejected(seen.failure.error);
    }
  }

  override then<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null, onRejected?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#promises()._l?.(this);
    this._h += 1;
    return super.then(onFulfilled, onRejected);
  }

  #rejected(error: unknown): void {
    this._i = 2;
    // Node.js must not take the promise for unhandled. This handler must not count, and must not make another promise of this class.
    void Object.defineProperty(this, 'constructor', { value: NativePromise, configurable: true });
    void super.then(undefined, () => undefined);
    delete (this as { constructor?: unknown }).constructor;
    this.#promises()._m?.(this, error);
    for (let n = 0; n < this._h; n += 1) {
      this.#promises()._l?.(this);
    }
  }

  #promises(): typeof HermesPromise {
    return this.constructor as typeof HermesPromise;
  }
}

/** Makes the global values of Hermes for one process. */
export function hermes(): { Promise: typeof HermesPromise; HermesInternal: object } {
  class ProcessPromise<T> extends HermesPromise<T> {
    static override _l: Hook = null;
    static override _m: Hook = null;
    static override _n = (): void => undefined;
  }
  const enable = (options: TrackerOptions): void => {
    let id = 0;
    let shownId = 0;
    const rejections = new Map<number | undefined, { timer: ReturnType<typeof setTimeout>; shown?: number }>();
    ProcessPromise._l = (promise) => {
      const rejection = promise._i === 2 ? rejections.get(promise._o) : undefined;
      if (rejection) {
        clearTimeout(rejection.timer);
        rejections.delete(promise._o);
        if (rejection.shown !== undefined) {
          options.onHandled?.(rejection.shown);
        }
      }
    };
    ProcessPromise._m = (promise, error) => {
      if (promise._h > 0) {
        return;
      }
      const isMistake = [ReferenceError, TypeError, RangeError].some((type) => error instanceof type);
      const show = (): void => {
        if (options.allRejections || isMistake) {
          rejection.shown = shownId;
          shownId += 1;
          options.onUnhandled?.(rejection.shown, error);
        }
      };
      const rejection: { timer: ReturnType<typeof setTimeout>; shown?: number } = { timer: setTimeout(show, isMistake ? 100 : 2000) };
      promise._o = id;
      id += 1;
      rejections.set(promise._o, rejection);
    };
  };
  // Neither HermesInternal nor the function can be replaced, and the function replaces the tracker that was there.
  const HermesInternal = Object.freeze({ hasPromise: () => true, enablePromiseRejectionTracker: enable });
  return { Promise: ProcessPromise, HermesInternal };
}
