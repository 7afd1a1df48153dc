import { readStream, Refused, type Change } from "./stream";

const reconnectAfter = 1_000;

/**
 * Calls back for each change of the project. One tab of the browser, the one that holds the lock, reads the
 * stream; it passes on what it reads. When that tab closes, another one gets the lock.
 */
export function followProject(project: string, onChange: (change: Change) => void): () => void {
  const end = new AbortController();
  const name = `waft-live-${project}`;
  const channel = new BroadcastChannel(name);
  // The last id is passed on too, so that the next reader misses nothing.
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
          // Without an id to go on from, what happened since the data was asked for is unknown.
          onOpen: () => {
            if (!lastEventId) pass({ type: "reset", resource: "", id: "", action: "" }, null);
          },
          onChange: pass,
        });
      } catch (error) {
        // Opened again below; requests say what is wrong. All tabs make some, and so leave for the login or the project.
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
