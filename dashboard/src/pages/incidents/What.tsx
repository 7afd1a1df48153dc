import { Link } from "@tanstack/react-router";
import type { Schemas } from "@/api/client";
import { useProject } from "@/api/project";
import { percent } from "@/format/format";
import { strings as frame } from "@/strings";
import { Badge } from "@/ui/Badge";
import { Commit } from "@/ui/Commit";
import { ReleaseLink } from "@/ui/ReleaseLink";
import { strings } from "./strings";

/** Shows the affected release and channel, and the flag variation that causes the incident, if there is one. */
export function What({ incident }: { incident: Schemas["Incident"] }) {
  const { slug: project } = useProject();
  const { resolution, flagId } = incident;
  const variation = incident.flagKey && strings.variation(incident.flagKey, incident.variation ?? frame.unknown);
  return (
    <div className="flex min-w-0 flex-col gap-0.5">
      <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        <Badge tone={resolution ? "plain" : "bad"} title={resolution ? strings.endTips[resolution] : undefined}>
          {resolution ? strings.ends[resolution] : strings.open}
        </Badge>
        <span className="min-w-0 max-w-full font-medium">
          <ReleaseLink release={incident.release} uuid={incident.updateUuid} />
        </span>
        {variation &&
          (flagId === null ? (
            <span className="min-w-0 truncate text-xs">{variation}</span>
          ) : (
            <Link to="/$project/flags/$id" params={{ project, id: String(flagId) }} className="min-w-0 truncate text-xs text-link hover:underline">
              {variation}
            </Link>
          ))}
      </p>
      <p className="truncate text-xs text-muted">{strings.on(incident.channel, frame.platforms[incident.platform], incident.runtimeVersion)}</p>
      {(incident.gitCommitHash || incident.gitAuthor) && (
        <p className="text-xs text-muted">
          <Commit hash={incident.gitCommitHash} author={incident.gitAuthor} />
        </p>
      )}
      <p className="hidden text-xs group-data-narrow/table:block">
        <span className="text-muted">{strings.columns.rate}:</span> <span className="font-medium text-bad">{percent(incident.errorRate)}</span>
        <span className="text-muted">, {strings.before(percent(incident.baselineErrorRate))}</span>
      </p>
      {incident.note && <p className="text-xs break-words">{incident.note}</p>}
    </div>
  );
}
