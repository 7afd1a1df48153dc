import type { ReactNode } from "react";
import { Time } from "./Time";

/** One line of a history: who did what, when. */
export function Sentence({ at, children }: { at: string; children: ReactNode }) {
  return (
    <div className="flow-root py-1 break-words">
      {/* Beside the first line only: on a phone the others need its width. */}
      <span className="float-right ml-3 text-xs leading-5 text-faint">
        <Time at={at} />
      </span>
      {children}
    </div>
  );
}
