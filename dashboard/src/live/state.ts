import { useSyncExternalStore } from "react";

/** Whether the page follows the project's changes, and the time in milliseconds up to which it has followed them. */
export interface LiveState {
  status: "connecting" | "live" | "lost";
  until: number;
}

let current: LiveState = { status: "connecting", until: Date.now() };
const listeners = new Set<() => void>();

/** Records the state of this tab. While the page is live, only the first call has an effect. */
export function setLiveState(next: LiveState) {
  if (next.status === current.status && (next.status === "live" || next.until === current.until)) return;
  current = next;
  listeners.forEach((listener) => listener());
}

export function useLiveState(): LiveState {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}
