import { createParser } from "eventsource-parser";

export interface Change {
  type: "changed" | "reset";
  resource: string;
  id: string;
  action: string;
}

interface Options {
  project: string;
  /** The last event that was read, or another position of the server. */
  lastEventId: string;
  signal: AbortSignal;
  /** Called when the stream opens, and with everything that the server sends, such as a heartbeat. */
  onAlive: () => void;
  onChange: (change: Change, id: string | null) => void;
}

/** Thrown when the stream is refused: the session has ended, or the person has lost access to the project. */
export class Refused extends Error {}

/** Reads the project's event stream until it ends. Rejects if the stream cannot be opened. */
export async function readStream({ project, lastEventId, signal, onAlive, onChange }: Options): Promise<void> {
  const headers: Record<string, string> = { "X-Project": project, Accept: "text/event-stream", "Last-Event-ID": lastEventId };
  const response = await fetch("/v1/ota/stream", { headers, signal, cache: "no-store" });
  if ([401, 403, 404].includes(response.status)) throw new Refused();
  if (!response.ok || !response.body) throw new Error(`the event stream responded with status ${response.status}`);
  onAlive();
  const parser = createParser({
    onEvent: (event) => {
      if (event.event === "reset") onChange({ type: "reset", resource: "", id: "", action: "" }, event.id ?? null);
      if (event.event !== "changed") return;
      const { resource, id, action } = JSON.parse(event.data) as Omit<Change, "type">;
      onChange({ type: "changed", resource, id: String(id), action }, event.id ?? null);
    },
  });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onAlive();
    parser.feed(value);
  }
}
