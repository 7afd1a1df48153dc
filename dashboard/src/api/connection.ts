/** What the last answers say of the server: `silent` when nothing answers, `partial` when an engine is away. */
export type Connection = "ok" | "partial" | "silent";

/** How long the server may take to say whether its engines answer, in milliseconds. It gives each of them 2 s. */
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

/** Notes the status of an answer, with its problem. A 503 is an engine that is away; the banner's probe notes its return. */
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

/** What the server said last of what is away, such as "Postgres is unavailable"; empty when it said nothing. */
export function whatIsAway(): string {
  return detail;
}

export function watchConnection(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Asks the server whether all of its engines answer, and notes it. */
export async function probe(): Promise<Connection> {
  try {
    const response = await fetch("/readyz", { cache: "no-store", signal: AbortSignal.timeout(probeTime) });
    set(response.ok ? "ok" : response.status === 503 ? "partial" : "silent");
  } catch {
    set("silent");
  }
  return current;
}
