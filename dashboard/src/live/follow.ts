import type { LiveState } from "./state";
import { readStream, Refused, type Change } from "./stream";

/** Times in milliseconds. The server sends a heartbeat each 15 s. A stream or a reading tab is given up after `silence`. */
export const silence = 45_000;
const lookEvery = 5_000;
const reconnectAfter = 1_000;

/** A message between the tabs of a project. */
type Message =
  | { kind: "change"; change: Change; id: string | null }
  /** The state of the reading tab. It is sent with each heartbeat and each attempt to connect. */
  | { kind: "pulse"; state: LiveState }
  /** A new tab asks for the state. */
  | { kind: "ask" };

interface Options {
  project: string;
  /** The position of the data that the page loads. Changes after it are passed to onChange. */
  position: string;
  onChange: (change: Change) => void;
  onState: (state: LiveState) => void;
}

/**
 * Calls onChange for each change of the project after a position, and onState when the page becomes live or stops being live. Only
 * one tab of the browser, the tab that holds the lock, reads the event stream, and it passes each change and heartbeat on to the
 * other tabs. When that tab closes, another tab gets the lock. When it is silent, because the browser has frozen it, another tab
 * takes the lock from it.
 */
export function followProject({ project, position, onChange, onState }: Options): () => void {
  const end = new AbortController();
  const name = `waft-live-${project}`;
  const channel = new BroadcastChannel(name);
  // The last event ID is passed on too, so that the next reading tab does not miss a change.
  let lastEventId = position;
  let isReading = false;
  // The server has refused the stream, and all tabs know it.
  let isRefused = false;
  let state: LiveState = { status: "connecting", until: Date.now() };
  // The last sign of life: of the server for the reading tab, of the reading tab for the others.
  let heardAt = Date.now();
  let turn = new AbortController();
  let connection = new AbortController();
  let hurry = () => {};

  const send = (message: Message) => channel.postMessage(message);
  const become = (next: LiveState) => {
    state = next;
    onState(next);
    if (isReading) send({ kind: "pulse", state });
  };
  const alive = () => {
    heardAt = Date.now();
    become({ status: "live", until: heardAt });
    if (!isRefused) return;
    isRefused = false;
    reset();
  };
  const lost = () => become({ status: "lost", until: state.until });

  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind === "ask") {
      if (isReading) send({ kind: "pulse", state });
      // The tab that asks may have a session.
      if (isRefused) hurry();
      return;
    }
    if (isReading) return;
    heardAt = Date.now();
    if (data.kind === "pulse") return become(data.state);
    lastEventId = data.id ?? lastEventId;
    onChange(data.change);
  };

  const pass = (change: Change, id: string | null) => {
    lastEventId = id ?? lastEventId;
    send({ kind: "change", change, id });
    onChange(change);
  };
  const reset = () => pass({ type: "reset", resource: "", id: "", action: "" }, null);
  const read = async (signal: AbortSignal) => {
    isReading = true;
    signal.addEventListener("abort", () => hurry(), { once: true });
    while (!signal.aborted) {
      connection = new AbortController();
      heardAt = Date.now();
      try {
        await readStream({ project, lastEventId, signal: AbortSignal.any([signal, connection.signal]), onAlive: alive, onChange: pass });
      } catch (error) {
        // The stream is opened again below. After a refusal, the reset makes all tabs send requests: their errors lead each tab
        // to the sign-in page or show that the project is not accessible.
        if (error instanceof Refused && !signal.aborted && !isRefused) {
          isRefused = true;
          reset();
        }
      }
      if (signal.aborted) break;
      lost();
      await new Promise<void>((resolve) => {
        hurry = resolve;
        // After a refusal, the stream is opened when somebody signs in, and otherwise as rarely as a silent one.
        if (!isRefused) setTimeout(resolve, reconnectAfter);
      });
    }
    isReading = false;
  };

  /** Reads the stream once this tab has the lock. Waits for the lock, or takes it from the reading tab. */
  const follow = async (takes: boolean) => {
    const mine = new AbortController();
    turn = mine;
    try {
      if (navigator.locks) await navigator.locks.request(name, takes ? { steal: true } : { signal: mine.signal }, () => read(mine.signal));
      else await read(mine.signal);
    } catch {
      // The lock was taken by another tab, or is no longer wanted.
    }
    const wasTaken = !mine.signal.aborted;
    mine.abort();
    if (wasTaken && !end.signal.aborted) void follow(false);
  };

  const reconnect = () => {
    connection.abort();
    hurry();
  };
  const look = () => {
    if (Date.now() - heardAt <= silence) return;
    heardAt = Date.now();
    if (isReading) return reconnect();
    lost();
    // A hidden tab may be frozen as well, so only a visible tab takes over.
    if (document.visibilityState !== "visible") return;
    turn.abort();
    void follow(true);
  };
  const watch = setInterval(look, lookEvery);
  const seen = () => {
    if (document.visibilityState === "visible") look();
  };
  // A connection of another network does not report that it has ended.
  const online = () => (isReading ? reconnect() : look());
  const signedIn = () => (isReading ? isRefused && hurry() : send({ kind: "ask" }));
  document.addEventListener("visibilitychange", seen);
  addEventListener("online", online);
  addEventListener("waft-back", signedIn);
  onState(state);
  send({ kind: "ask" });
  void follow(false);
  return () => {
    end.abort();
    turn.abort();
    clearInterval(watch);
    document.removeEventListener("visibilitychange", seen);
    removeEventListener("online", online);
    removeEventListener("waft-back", signedIn);
    channel.close();
  };
}
