import type { ReactNode } from "react";
import { Time } from "./Time";

/** One line of a history: who did what, when. */
export function Sentence({ at, children }: { at: string; children: ReactNode }) {
  return (
    <div className="flex items-baseline gap-3 py-1">
      <span className="min-w-0 flex-1 break-words">{children}</span>
      <span className="shrink-0 text-xs text-faint">
        <Time at={at} />
      </span>
    </div>
  );
}
