/** A hook that a Promise written in JavaScript calls. */
type Hook = (promise: object, error?: unknown) => void;

/** A constructor of promises, with the hooks of its rejection tracker among its properties. */
type Hooked = PromiseConstructor & Record<string, Hook | null | undefined>;

/** The names of the two hooks. */
interface Hooks {
  /** Called with each rejected promise and its error. */
  rejected: string;
  /** Called with each promise that gets a handler. If the promise already had handlers when it was rejected, called again after the rejection. */
  handled: string;
}

/** React Native's tracker waits as long until it calls a rejection unhandled. */
const patienceMs = 2000;
/** Errors of these types are mostly mistakes, for which React Native's tracker waits less. */
const mistakes = [ReferenceError, TypeError, RangeError];
const mistakePatienceMs = 100;

/**
 * Calls onUnhandled for each rejected promise that remains without a handler, until the returned function is called. Returns undefined if the
 * Promise is not the one of Hermes or of the npm package `promise`. There, a tracker sets two hooks of the Promise, and
 * `HermesInternal.enablePromiseRejectionTracker` replaces both. To keep the tracker of another library, this adds to the hooks instead.
 */
export function followRejections(promises: PromiseConstructor, onUnhandled: (error: unknown) => void): (() => void) | undefined {
  const all = promises as Hooked;
  const hooks = findHooks(all);
  if (!hooks) {
    return undefined;
  }
  const waiting = new Map<object, ReturnType<typeof setTimeout>>();
  const forget = (promise: object): void => {
    clearTimeout(waiting.get(promise));
    waiting.delete(promise);
  };
  const releases = [
    addHook(all, hooks.rejected, (promise, error) => {
      const tell = (): void => {
        waiting.delete(promise);
        onUnhandled(error);
      };
      waiting.set(promise, setTimeout(tell, mistakes.some((type) => error instanceof type) ? mistakePatienceMs : patienceMs));
    }),
    addHook(all, hooks.handled, forget),
  ];
  return () => {
    for (const release of releases) {
      release();
    }
    [...waiting.keys()].forEach(forget);
  };
}

/** Finds the hooks by what they are called for, because a build shortens their names. The hooks do not notice. */
function findHooks(all: Hooked): Hooks | undefined {
  const called: string[] = [];
  const found = Object.keys(all)
    .filter((name) => name.startsWith('_') && (all[name] === null || typeof all[name] === 'function'))
    .map((name) => [name, Object.getOwnPropertyDescriptor(all, name) ?? {}] as const)
    .filter(([, { configurable }]) => configurable);
  const ignore = (): void => undefined;
  try {
    found.forEach(([name]) => {
      Object.defineProperty(all, name, { configurable: true, enumerable: true, writable: true, value: () => called.push(name) });
    });
    if (found.length > 0) {
      new all((_resolve, reject) => {
        reject(new Error('this error finds the hooks of the Promise'));
      }).then(ignore, ignore);
    }
  } finally {
    found.forEach(([name, before]) => Object.defineProperty(all, name, before));
  }
  const [rejected, handled] = called;
  return called.length === 2 && rejected !== undefined && handled !== undefined ? { rejected, handled } : undefined;
}

/**
 * Calls own before the hook that is there, even if a tracker replaces that hook later. Calling the returned function removes own and
 * leaves the other hooks.
 */
function addHook(all: Hooked, name: string, own: Hook): () => void {
  const found = Object.getOwnPropertyDescriptor(all, name) ?? {};
  const original = all[name];
  let below = original;
  let isEnded = false;
  let current: object | undefined;
  const hook: Hook = (promise, error) => {
    if (isEnded || promise === current) {
      original?.(promise, error); // Called by a hook that was added on top.
      return;
    }
    const outer = current;
    current = promise;
    try {
      own(promise, error);
      below?.(promise, error);
    } finally {
      current = outer;
    }
  };
  const get = (): Hook => hook;
  Object.defineProperty(all, name, {
    configurable: true,
    enumerable: true,
    get,
    set: (next: Hook | null) => {
      below = next === hook ? original : next;
    },
  });
  return () => {
    isEnded = true;
    if (Object.getOwnPropertyDescriptor(all, name)?.get === get) {
      Object.defineProperty(all, name, below === original ? found : { configurable: true, enumerable: true, writable: true, value: below });
    }
  };
}
