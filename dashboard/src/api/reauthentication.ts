import { holdsInput } from "./heldInput";

/** Why a person has to sign in again: the action requires a recent sign-in, or the session has ended. */
export type Why = "old" | "ended";

type Ask = (why: Why) => Promise<boolean>;

let ask: Ask | null = null;
let pending: Promise<boolean> | null = null;
let isDeclined = false;

/** Sets the function that asks the person to sign in again. */
export function setReauthentication(next: Ask | null) {
  ask = next;
}

/** Asks the person to sign in again over the page, once for all waiting requests. Returns false if they do not. */
export function reauthenticated(why: Why): Promise<boolean> {
  if (!ask) return Promise.resolve(false);
  pending ??= ask(why)
    .then((ok) => {
      isDeclined = !ok;
      return ok;
    })
    .finally(() => {
      pending = null;
    });
  return pending;
}

/**
 * Returns what to do when a request finds the session ended. A change and a page that holds input "ask" the person to sign in over the
 * page, so that the input is kept; other pages "leave" for the sign-in page. A person who declined keeps the page as it is ("stay") until
 * they send a change again.
 */
export function onEndedSession(method: string): "ask" | "leave" | "stay" {
  if (!ask) return "leave";
  if (pending || method !== "GET") return "ask";
  if (!holdsInput()) return "leave";
  return isDeclined ? "stay" : "ask";
}
