import type { Schemas } from "@/api/client";
import { Badge } from "@/ui/Badge";
import { strings } from "./strings";

type Release = Schemas["Update"];

/** Shows a release's special states. */
export function ReleaseBadges({ release }: { release: Release }) {
  const { badges } = strings;
  return (
    <span className="inline-flex flex-wrap gap-1">
      {!release.isEnabled && <Badge>{badges.off}</Badge>}
      {release.isCritical && <Badge tone="warn">{badges.critical}</Badge>}
      {release.isEnabled && release.rolloutExecutionId !== null && release.rolloutPercentage < 100 && <Badge tone="info">{badges.rollout}</Badge>}
      {release.kind === "rollback_to_embedded" && <Badge tone="bad">{badges.embedded}</Badge>}
      {release.republishedFromId !== null && <Badge>{badges.republished}</Badge>}
    </span>
  );
}
