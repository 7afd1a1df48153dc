import type { ReactNode } from "react";
import { cx } from "./cx";

export type Tone = "plain" | "ok" | "warn" | "bad" | "info";

const tones: Record<Tone, string> = {
  plain: "bg-selected text-muted",
  ok: "bg-ok-soft text-ok",
  warn: "bg-warn-soft text-warn",
  bad: "bg-bad-soft text-bad",
  info: "bg-info-soft text-info",
};

/** Shows a state in a word. The colour only repeats the word's meaning. */
export function Badge({ tone = "plain", children, title }: { tone?: Tone; children: ReactNode; title?: string }) {
  return (
    <span title={title} className={cx("inline-flex h-5 items-center gap-1 rounded px-1.5 text-2xs font-medium whitespace-nowrap", tones[tone])}>
      {children}
    </span>
  );
}
