import type { ReactNode } from "react";
import { Time } from "./Time";

/** An entry of a history: who did what, and when. */
export function Sentence({ at, children }: { at: string; children: ReactNode }) {
  return (
    <div className="flow-root py-1 break-words">
      {/* The time is next to the first line only, because on a phone the other lines need the full width. */}
      <span className="float-right ml-3 text-xs leading-5 text-faint">
        <Time at={at} />
      </span>
      {children}
    </div>
  );
}
