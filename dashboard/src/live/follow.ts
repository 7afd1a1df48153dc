import { readStream, Refused, type Change } from "./stream";

const reconnectAfter = 1_000;

/**
 * Calls onChange for each change of the project. Only one tab of the browser, the tab that holds the lock, reads the event
 * stream, and it passes each change on to the other tabs. When that tab closes, another tab gets the lock.
 */
export function followProject(project: string, onChange: (change: Change) => void): () => void {
  const end = new AbortController();
  const name = `waft-live-${project}`;
  const channel = new BroadcastChannel(name);
  // The last event ID is passed on too, so that the next reading tab does not miss a change.
  let lastEventId: string | null = null;
  channel.onmessage = (message: MessageEvent<{ change: Change; id: string | null }>) => {
    lastEventId = message.data.id ?? lastEventId;
    onChange(message.data.change);
  };
  const pass = (change: Change, id: string | null) => {
    lastEventId = id ?? lastEventId;
    channel.postMessage({ change, id });
    onChange(change);
  };
  const read = async () => {
    while (!end.signal.aborted) {
      try {
        await readStream({
          project,
          lastEventId,
          signal: end.signal,
          // Without a last event ID, changes since the data was loaded may have been missed.
          onOpen: () => {
            if (!lastEventId) pass({ type: "reset", resource: "", id: "", action: "" }, null);
          },
          onChange: pass,
        });
      } catch (error) {
        // The stream is opened again below. After a refusal, the reset makes all tabs send requests: their errors lead each tab
        // to the sign-in page or show that the project is not accessible.
        if (error instanceof Refused) pass({ type: "reset", resource: "", id: "", action: "" }, null);
      }
      await pause(reconnectAfter, end.signal);
    }
  };
  const locked = navigator.locks ? navigator.locks.request(name, { signal: end.signal }, read) : read();
  void locked.catch(() => {});
  return () => {
    end.abort();
    channel.close();
  };
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
