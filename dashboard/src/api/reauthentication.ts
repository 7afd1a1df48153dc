type Ask = () => Promise<boolean>;

let ask: Ask | null = null;
let pending: Promise<boolean> | null = null;

/** Sets the function that asks the person to sign in again. */
export function setReauthentication(next: Ask | null) {
  ask = next;
}

/**
 * Waits for the sign-in that the person is being asked for, and reports whether it succeeded; false if none is pending. During it,
 * the old session may have ended already.
 */
export function underReauthentication(): Promise<boolean> {
  return pending ?? Promise.resolve(false);
}

/** Asks the person to sign in again, once for all waiting requests. Returns false if they do not. */
export function reauthenticated(): Promise<boolean> {
  if (!ask) return Promise.resolve(false);
  pending ??= ask().finally(() => {
    pending = null;
  });
  return pending;
}
