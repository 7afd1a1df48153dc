/** The state of the server by its last responses: `silent` if it does not respond, `partial` if an engine is unavailable. */
export type Connection = "ok" | "partial" | "silent";

/** Timeout of the readiness request in milliseconds. The server waits up to 2 s for each engine. */
const probeTime = 4_000;

let current: Connection = "ok";
let detail = "";
const listeners = new Set<() => void>();

function set(next: Connection, why = "") {
  if (next === "partial" && why === "") why = detail;
  if (next === current && why === detail) return;
  current = next;
  detail = why;
  listeners.forEach((listener) => listener());
}

/** Records the status of a response. A 503 means that an engine is unavailable, until the banner's probe finds it back. */
export function noteAnswer(status: number, problem = "") {
  if (status === 503) set("partial", problem);
  else if (status === 502 || status === 504) set("silent");
  else if (current === "silent") set("partial");
}

export function noteSilence() {
  set("silent");
}

export function connection(): Connection {
  return current;
}

/** Returns the server's last message about an unavailable engine, or "" if there was none. */
export function whatIsAway(): string {
  return detail;
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
