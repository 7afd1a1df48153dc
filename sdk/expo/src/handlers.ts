import { followRejections } from './rejections';

/** Called for each uncaught error. After a fatal error, the app ends only when the returned promise has settled. */
export type Uncaught = (error: unknown, isFatal: boolean) => Promise<void>;

type ErrorHandler = (error: unknown, isFatal?: boolean) => void;

/** Properties that React Native and browsers add to the global object. */
interface Globals {
  Promise?: PromiseConstructor;
  ErrorUtils?: { getGlobalHandler(): ErrorHandler | undefined; setGlobalHandler(handler: ErrorHandler): void };
  HermesInternal?: {
    enablePromiseRejectionTracker?(options: { allRejections: boolean; onUnhandled(id: number, error: unknown): void }): void;
  };
  addEventListener?(type: string, listener: (event: { error?: unknown; message?: string; reason?: unknown }) => void): void;
  removeEventListener?(type: string, listener: unknown): void;
}

/** Handles uncaught errors and promise rejections until the returned function is called. */
export function handleUncaught(uncaught: Uncaught, globals: object = globalThis): () => void {
  const all = globals as Globals;
  // Bundles for web pages may contain ErrorUtils too, but it does not get errors there.
  return all.ErrorUtils && !('document' in globals) ? handleNative(all, all.ErrorUtils, uncaught) : handleWeb(all, uncaught);
}

/** Handles errors in React Native. The handlers of other libraries, below and on top of this one, get every error too. */
function handleNative(globals: Globals, utils: NonNullable<Globals['ErrorUtils']>, uncaught: Uncaught): () => void {
  const previous = utils.getGlobalHandler();
  /** Fatal errors that are being reported, because the handler of another library may pass an error twice. */
  const fatal = new Set<unknown>();
  let ended = false;
  const handler: ErrorHandler = (error, isFatal = false) => {
    if (ended || fatal.has(error)) {
      previous?.(error, isFatal);
      return;
    }
    const told = uncaught(error, isFatal);
    if (isFatal) {
      fatal.add(error);
      // In a release build the previous handler ends the process.
      told
        .catch(() => undefined)
        .then(() => previous?.(error, isFatal))
        .catch(() => undefined)
        .finally(() => fatal.delete(error));
    } else {
      previous?.(error, isFatal);
    }
  };
  utils.setGlobalHandler(handler);
  const release = handleRejections(globals, (error) => {
    void uncaught(error, false);
  });
  return () => {
    ended = true;
    release();
    if (utils.getGlobalHandler() === handler && previous) {
      utils.setGlobalHandler(previous);
    }
  };
}

/** Handles rejections. The tracker of another library keeps working, unless the engine's Promise allows only one tracker. */
function handleRejections(globals: Globals, onUnhandled: (error: unknown) => void): () => void {
  const release = followRejections(globals.Promise ?? Promise, onUnhandled);
  if (release) {
    return release;
  }
  let ended = false;
  globals.HermesInternal?.enablePromiseRejectionTracker?.({
    allRejections: true,
    onUnhandled: (_id, error) => {
      if (!ended) {
        onUnhandled(error);
      }
    },
  });
  return () => {
    ended = true;
  };
}

/** Handles errors in a web page. They are not fatal, because the page continues after them. */
function handleWeb(globals: Globals, uncaught: Uncaught): () => void {
  const onError = (event: { error?: unknown; message?: string }): void => {
    void uncaught(event.error ?? event.message, false);
  };
  const onRejection = (event: { reason?: unknown }): void => {
    void uncaught(event.reason, false);
  };
  globals.addEventListener?.('error', onError);
  globals.addEventListener?.('unhandledrejection', onRejection);
  return () => {
    globals.removeEventListener?.('error', onError);
    globals.removeEventListener?.('unhandledrejection', onRejection);
  };
}
