import { Link } from "@tanstack/react-router";
import { useProject } from "@/api/project";
import { releaseName, type NamedRelease } from "@/format/releaseName";
import { strings } from "@/strings";
import { ReleaseNumber } from "./ReleaseNumber";

interface Props {
  id: number;
  /** The release that rolls out; undefined while it is unknown. */
  release: (NamedRelease & { platform: "ios" | "android" }) | undefined;
}

/** Links to a rollout by the name and platform of its release. */
export function RolloutLink({ id, release }: Props) {
  const { slug: project } = useProject();
  return (
    <Link
      to="/$project/rollouts/$id"
      params={{ project, id: String(id) }}
      className="inline-block max-w-full min-h-6 break-words underline underline-offset-2"
    >
      {release ? [releaseName(release), strings.platforms[release.platform]].join(" · ") : strings.rolloutOfUnknown}{" "}
      <ReleaseNumber id={release?.updateId ?? id} />
    </Link>
  );
}
