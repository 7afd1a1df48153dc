import type { ReactNode } from "react";
import { strings } from "@/strings";
import { cx } from "./cx";
import type { Tone } from "./Badge";

const tones: Record<Tone, string> = { plain: "", ok: "text-ok", warn: "text-warn", bad: "text-bad", info: "text-info" };

/** Shows a number with its name. */
export function Figure({ label, value, note, tone = "plain" }: { label: ReactNode; value: ReactNode; note?: ReactNode; tone?: Tone }) {
  return (
    <div className="min-w-0">
      <div className="text-xs text-muted">{label}</div>
      <div className={cx("text-lg font-semibold tabular-nums", tones[tone])}>{value}</div>
      {note && <div className="text-xs text-faint">{note}</div>}
    </div>
  );
}

/** Says that no device has reported on a release, which therefore has no rate. */
export function NoReports() {
  return <span className="text-sm font-normal text-muted">{strings.noReports}</span>;
}
