import type { Schemas } from "@/api/client";

type Frame = Schemas["StackFrame"];

/** Returns the place of a frame as file:line:column, without the parts that the JavaScript engine did not report. */
export function placeOf(frame: Frame): string {
  if (!frame.file) return "";
  return [frame.file, frame.line || null, frame.line ? frame.column || null : null].filter((part) => part !== null).join(":");
}

/** Returns the stack in the usual text format, with the names from the source map. */
export function stackText(title: string, frames: Frame[]): string {
  const lines = frames.map((frame) => {
    const place = placeOf(frame);
    if (!frame.function) return `    at ${place || "?"}`;
    return place ? `    at ${frame.function} (${place})` : `    at ${frame.function}`;
  });
  return [title, ...lines].join("\n");
}
