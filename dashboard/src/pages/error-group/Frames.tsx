import type { Schemas } from "@/api/client";
import { cx } from "@/ui/cx";
import { placeOf } from "./stackText";
import { strings } from "./strings";

type Frame = Schemas["StackFrame"];

/** Shows a stack, innermost call first, with the source around each frame if a source map has it. */
export function Frames({ frames }: { frames: Frame[] }) {
  return (
    <ol className="divide-y">
      {frames.map((frame, index) => (
        <li key={index} className={cx("px-3 py-1.5", !frame.inApp && "bg-canvas")}>
          <p className="flex flex-wrap items-baseline gap-x-2 font-mono text-xs">
            <span className={cx("break-all", frame.inApp ? "font-semibold" : "text-muted")}>{frame.function || strings.stack.anonymous}</span>
            <span className="break-all text-muted">{placeOf(frame)}</span>
            {!frame.inApp && <span className="font-sans text-2xs text-faint">{strings.stack.library}</span>}
          </p>
          {frame.context.length > 0 && <Source frame={frame} />}
        </li>
      ))}
    </ol>
  );
}

function Source({ frame }: { frame: Frame }) {
  return (
    <pre tabIndex={0} role="region" aria-label={strings.stack.source(placeOf(frame))} className="mt-1.5 overflow-x-auto rounded-md border bg-canvas py-1 font-mono text-xs">
      {frame.context.map((text, index) => {
        const number = frame.contextLine + index;
        const isHere = number === frame.line;
        return (
          <div key={number} aria-current={isHere ? "true" : undefined} className={cx("flex min-w-max", isHere && "bg-bad-soft font-semibold")}>
            <span className="w-12 shrink-0 pr-3 text-right text-faint select-none">{number}</span>
            <span className="pr-3 whitespace-pre">{text || " "}</span>
          </div>
        );
      })}
    </pre>
  );
}
