import type { Schemas } from "@/api/client";
import { ReleaseLink } from "@/ui/ReleaseLink";
import { strings } from "./strings";

/** Names the release that devices got when the rollout's release was rolled back. */
export function WentBack({ successor }: { successor: Schemas["ReleaseName"] }) {
  const isEmbedded = successor.kind === "rollback_to_embedded";
  return (
    <p>
      {strings.wentBackTo} <ReleaseLink release={isEmbedded ? { ...successor, releaseMessage: strings.embedded } : successor} />
    </p>
  );
}
