/** What the last answers say of the server: `silent` when nothing answers, `partial` when an engine is away. */
export type Connection = "ok" | "partial" | "silent";

let current: Connection = "ok";
const listeners = new Set<() => void>();

function set(next: Connection) {
  if (next === current) return;
  current = next;
  listeners.forEach((listener) => listener());
}

/** Notes the status of an answer. A 503 is an engine that is away; the banner's probe notes its return. */
export function noteAnswer(status: number) {
  if (status === 503) set("partial");
  else if (status === 502 || status === 504) set("silent");
  else if (current === "silent") set("partial");
}

export function noteSilence() {
  set("silent");
}

export function connection(): Connection {
  return current;
}

export function watchConnection(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Asks the server whether all of its engines answer, and notes it. */
export async function probe(): Promise<Connection> {
  try {
    const response = await fetch("/readyz", { cache: "no-store" });
    set(response.ok ? "ok" : response.status === 503 ? "partial" : "silent");
  } catch {
    set("silent");
  }
  return current;
}
