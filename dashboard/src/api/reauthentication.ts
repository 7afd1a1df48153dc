type Ask = () => Promise<boolean>;

let ask: Ask | null = null;
let pending: Promise<boolean> | null = null;

/** Sets what asks the person to log in again; the app's shell does. */
export function setReauthentication(next: Ask | null) {
  ask = next;
}

/** Waits for a login that is being asked for: false without one. Until it is done, the old session may have ended already. */
export function underReauthentication(): Promise<boolean> {
  return pending ?? Promise.resolve(false);
}

/** Asks the person to log in again, once for all requests that wait; false when they do not. */
export function reauthenticated(): Promise<boolean> {
  if (!ask) return Promise.resolve(false);
  pending ??= ask().finally(() => {
    pending = null;
  });
  return pending;
}
