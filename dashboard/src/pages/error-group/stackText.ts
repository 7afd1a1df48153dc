import type { Schemas } from "@/api/client";

type Frame = Schemas["StackFrame"];

/** Where a frame is: file:line:column, without what the engine does not say. */
export function placeOf(frame: Frame): string {
  if (!frame.file) return "";
  return [frame.file, frame.line || null, frame.line ? frame.column || null : null].filter((part) => part !== null).join(":");
}

/** The stack as engines print it, with the names of the source map. */
export function stackText(title: string, frames: Frame[]): string {
  const lines = frames.map((frame) => {
    const place = placeOf(frame);
    if (!frame.function) return `    at ${place || "?"}`;
    return place ? `    at ${frame.function} (${place})` : `    at ${frame.function}`;
  });
  return [title, ...lines].join("\n");
}
