import { holdsInput } from "./heldInput";

/** Why a person has to sign in again: the action requires a recent sign-in, or the session has ended. */
export type Why = "old" | "ended";

type Ask = (why: Why) => Promise<boolean>;

let ask: Ask | null = null;
let pending: Promise<boolean> | null = null;
let isDeclined = false;
let isKnownEnded = false;

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
      if (ok) noteSession();
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

/** Records that the session has ended and that the person did not sign in again. */
export function noteEndedSession() {
  isKnownEnded = true;
}

/** Records that there may be a session again: somebody signed in, or a request got another response than 401. Failed data is then refetched. */
export function noteSession() {
  if (!isKnownEnded) return;
  isKnownEnded = false;
  dispatchEvent(new Event("waft-back"));
}

/** Reports whether a request for data would only find the session ended again, on a page that stays as it is. */
export function isRefusedAnyway(method: string): boolean {
  return isKnownEnded && method === "GET" && holdsInput();
}
