import { Link } from "@tanstack/react-router";
import type { Stream } from "@/api/overview";
import { useProject } from "@/api/project";
import { count, percent } from "@/format/format";
import { releaseTitle } from "@/format/releaseName";
import { Badge } from "@/ui/Badge";
import { ReleaseNumber } from "@/ui/ReleaseNumber";
import { colourOfSlice, StackBar } from "@/ui/StackBar";
import { Time } from "@/ui/Time";
import { HealthOfStream } from "./HealthOfStream";
import { RollBack } from "./RollBack";
import { slices } from "./slices";
import { strings } from "./strings";
import { WaitingCall } from "./WaitingCall";

/** Shows the releases and health of one target. */
export function StreamRow({ row }: { row: Stream }) {
  const { slug } = useProject();
  const { release, rollout } = row;
  const parts = slices(row);
  return (
    <div
      role="group"
      aria-label={`${strings.platforms[row.platform] ?? row.platform} ${strings.runtime(row.runtimeVersion)}`}
      className="grid items-center gap-x-6 gap-y-3 px-3 py-3 lg:grid-cols-[minmax(0,1.5fr)_minmax(0,1fr)_auto_auto]"
    >
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-2 text-xs text-muted">
          <span className="font-medium text-ink">{strings.platforms[row.platform] ?? row.platform}</span>
          <span>{strings.runtime(row.runtimeVersion)}</span>
          {rollout && (
            <Link to="/$project/rollouts/$id" params={{ project: slug, id: String(rollout.id) }} className="inline-flex min-h-6 items-center rounded">
              <Badge tone={rollout.status === "paused" ? "warn" : "info"}>
                {(rollout.status === "paused" ? strings.rolloutPaused : strings.rollout)(percent(rollout.percentage))}
              </Badge>
            </Link>
          )}
          {!rollout && <WaitingCall row={row} />}
          {row.incidents > 0 && (
            <Link to="/$project/incidents" params={{ project: slug }} className="inline-flex min-h-6 items-center rounded">
              <Badge tone="bad">{strings.incidents(row.incidents)}</Badge>
            </Link>
          )}
          {row.refused !== null && row.refused > 0 && (
            <Badge tone="warn" title={strings.refusedTip}>
              {strings.refused(count(row.refused))}
            </Badge>
          )}
        </div>
        {release ? (
          <div className="mt-0.5 flex min-w-0 items-baseline gap-2">
            <Link to="/$project/releases/$id" params={{ project: slug, id: String(release.id) }} className="truncate py-0.5 font-medium underline-offset-2 hover:underline">
              {releaseTitle(release)}
            </Link>
            <ReleaseNumber id={release.id} />
            <span className="shrink-0 text-xs text-faint">
              <Time at={release.createdAt} />
            </span>
          </div>
        ) : (
          <p className="mt-0.5 text-faint">{strings.noRelease}</p>
        )}
      </div>
      <div className="min-w-0">
        <StackBar label={strings.share} slices={parts} />
        <p aria-hidden className="mt-1 flex flex-wrap gap-x-3 text-2xs text-faint">
          {row.distribution === null && percent(null)}
          {parts.map((part, index) => (
            <span key={`${index} ${part.label}`} className="inline-flex max-w-full min-w-0 items-center gap-1">
              <span className="size-2 shrink-0 rounded-xs" style={{ backgroundColor: colourOfSlice(part, index) }} />
              <span className="min-w-0 truncate">{part.label}</span> {percent(part.value, "share")}
            </span>
          ))}
          {row.devices !== null && row.devices > 0 && <span>{strings.ofAll(count(row.devices))}</span>}
        </p>
      </div>
      <HealthOfStream row={row} />
      <div className="flex flex-col lg:w-24">
        <RollBack row={row} />
      </div>
    </div>
  );
}
