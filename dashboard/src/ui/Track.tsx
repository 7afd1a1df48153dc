import { cx } from "./cx";
import type { Tone } from "./Badge";

const fills: Record<Tone, string> = { plain: "bg-muted", ok: "bg-ok", warn: "bg-warn", bad: "bg-bad", info: "bg-info" };

/** Shows a percentage as a bar. The number is in the text next to it. */
export function Track({ value, label, tone = "info" }: { value: number; label: string; tone?: Tone }) {
  return (
    <div role="meter" aria-label={label} aria-valuemin={0} aria-valuemax={100} aria-valuenow={value} className="h-1.5 w-full min-w-12 overflow-hidden rounded-full bg-selected">
      <div className={cx("h-full rounded-full", fills[tone])} style={{ width: `${Math.min(100, Math.max(0, value))}%` }} />
    </div>
  );
}
