/** The state of the server by its last responses: `silent` if it does not respond, `partial` if an engine is unavailable. */
export type Connection = "ok" | "partial" | "silent";

/** Timeout of the readiness request in milliseconds. The server waits up to 2 s for each engine. */
const probeTime = 4_000;

let current: Connection = "ok";
let part = "";
let heardAt = Date.now();
const listeners = new Set<() => void>();

function set(next: Connection, away = "") {
  if (next !== "silent") heardAt = Date.now();
  if (next === "partial" && away === "") away = part;
  if (next === current && away === part) return;
  current = next;
  part = away;
  listeners.forEach((listener) => listener());
}

/**
 * Records the status of a response, and the part of Waft that is unavailable if the response names one. A 503 means that a part is
 * unavailable, until the banner's probe finds it back.
 */
export function noteAnswer(status: number, away = "") {
  if (status === 503) set("partial", away);
  else if (status === 502 || status === 504) set("silent");
  else if (current === "silent") set("partial");
  else heardAt = Date.now();
}

export function noteSilence() {
  set("silent");
}

export function connection(): Connection {
  return current;
}

/** Returns the part of Waft that is unavailable, as the server names it, or "" if it did not name one. */
export function whatIsAway(): string {
  return part;
}

/** Returns the time in milliseconds at which the server last responded. */
export function lastHeard(): number {
  return heardAt;
}

export function watchConnection(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Asks the server whether all of its engines are available, and records the result. */
export async function probe(): Promise<Connection> {
  try {
    const response = await fetch("/readyz", { cache: "no-store", signal: AbortSignal.timeout(probeTime) });
    set(response.ok ? "ok" : response.status === 503 ? "partial" : "silent");
  } catch {
    set("silent");
  }
  return current;
}
