import type { Figures } from "@/api/figures";
import { exceeds } from "@/api/overview";
import { count, percent } from "@/format/format";
import { strings as frame } from "@/strings";
import { Badge } from "@/ui/Badge";
import { cx } from "@/ui/cx";
import { strings } from "./strings";

/** The figures of a release, or undefined while they are unknown. */
interface Props {
  figures: Figures | undefined;
}

/** Shows the devices that have a release now, and their share of the devices of its targets. */
export function DevicesCell({ figures }: Props) {
  if (!figures) return <>{frame.unknown}</>;
  const share = figures.percentage === null ? null : percent(figures.percentage, "share");
  return (
    <div title={share === null ? undefined : strings.figures.devices(count(figures.devices), share, count(figures.targetDevices))}>
      {count(figures.devices)}
      {share !== null && <p className="text-xs break-words text-faint">{strings.figures.shareOf(share, count(figures.targetDevices))}</p>}
    </div>
  );
}

/** Shows the percentage of devices without a crash, and how many devices that is of. It is red above the limit. */
export function CrashFreeCell({ figures }: Props) {
  if (!figures) return <>{frame.unknown}</>;
  if (figures.reportedDevices === 0) return <span className="text-xs text-faint">{frame.noReports}</span>;
  const isCrashing = exceeds(figures.crashRate, figures.crashLimit);
  return (
    <div>
      <span className={cx(isCrashing && "font-medium text-bad")}>{percent(figures.crashFreePercentage)}</span>
      <p className="text-xs break-words text-faint">{strings.figures.of(count(figures.reportedDevices))}</p>
    </div>
  );
}

/** Marks a release with a rate that is above its limit. */
export function LimitBadge({ figures }: Props) {
  if (!figures?.isPastLimit) return null;
  const { crashLimit, crashRate, crashFreePercentage, errorLimit, errorRate, reportedDevices } = figures;
  const text = strings.figures.pastLimit;
  const facts = [
    exceeds(crashRate, crashLimit) && text.crashes(percent(crashFreePercentage), percent(100 - crashLimit.rate)),
    exceeds(errorRate, errorLimit) && text.errors(percent(errorRate), percent(errorLimit.rate)),
  ].filter(Boolean);
  return (
    <Badge tone="bad" title={[...facts, text.devices(count(reportedDevices))].join("; ")}>
      {text.label}
    </Badge>
  );
}
