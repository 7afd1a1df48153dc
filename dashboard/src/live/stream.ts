import { createParser } from "eventsource-parser";

export interface Change {
  type: "changed" | "reset";
  resource: string;
  id: string;
  action: string;
}

interface Options {
  project: string;
  /** Where to go on from; null for only what comes. */
  lastEventId: string | null;
  signal: AbortSignal;
  onOpen: () => void;
  onChange: (change: Change, id: string | null) => void;
}

/** The stream is refused: nobody is signed in any more, or the project is not theirs any more. */
export class Refused extends Error {}

/** Reads the project's stream of changes until it ends; rejects when it cannot be opened. */
export async function readStream({ project, lastEventId, signal, onOpen, onChange }: Options): Promise<void> {
  const headers: Record<string, string> = { "X-Project": project, Accept: "text/event-stream" };
  if (lastEventId) headers["Last-Event-ID"] = lastEventId;
  const response = await fetch("/v1/ota/stream", { headers, signal, cache: "no-store" });
  if ([401, 403, 404].includes(response.status)) throw new Refused();
  if (!response.ok || !response.body) throw new Error(`the stream answered ${response.status}`);
  onOpen();
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
    parser.feed(value);
  }
}
