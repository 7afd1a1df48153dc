import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Schemas } from "@/api/client";
import { useProject } from "@/api/project";
import { bytes, count, percent } from "@/format/format";
import { strings as frame } from "@/strings";
import { Commit } from "@/ui/Commit";
import { Copy } from "@/ui/Copy";
import { Facts } from "@/ui/Facts";
import { ReleaseLink } from "@/ui/ReleaseLink";
import { Time } from "@/ui/Time";
import { strings } from "./strings";

const { facts: text } = strings;

/** Shows facts about the release. */
export function ReleaseFacts({ release }: { release: Schemas["Update"] }) {
  const { slug: project } = useProject();
  const facts: [string, ReactNode][] = [
    [
      text.uuid,
      <span key="uuid" className="flex items-center gap-1">
        <code className="min-w-0 font-mono text-xs break-all">{release.updateUuid}</code>
        <Copy text={release.updateUuid} />
      </span>,
    ],
    [text.channel, release.channel ?? frame.unknown],
    [text.branch, release.branchName],
    [text.platform, frame.platforms[release.platform]],
    [text.runtime, release.runtimeVersion],
    [text.share, release.isEnabled ? percent(release.rolloutPercentage) : text.shareOff(percent(release.rolloutPercentage))],
    [text.commit, <Commit key="commit" hash={release.gitCommitHash} author={release.gitAuthor} />],
    [text.gitBranch, release.gitBranch || frame.unknown],
    [text.size, text.filesOf(count(release.assetCount), bytes(release.sizeBytes))],
    [text.published, <Time key="published" at={release.createdAt} exact />],
  ];
  if (release.republishedFromId !== null) {
    facts.push([
      text.from,
      <ReleaseLink
        key="from"
        release={{ ...release, updateId: release.republishedFromId, releaseMessage: release.republishedFromMessage ?? "" }}
      />,
    ]);
  }
  if (release.rolloutExecutionId !== null) {
    facts.push([
      text.rollout,
      <Link key="rollout" to="/$project/rollouts/$id" params={{ project, id: String(release.rolloutExecutionId) }} className="text-link hover:underline">
        {text.open}
      </Link>,
    ]);
  }
  return <Facts facts={facts} />;
}
