import { Link } from "@tanstack/react-router";
import { useProject } from "@/api/project";
import { Commit } from "@/ui/Commit";
import { Facts } from "@/ui/Facts";
import { ReleaseLink } from "@/ui/ReleaseLink";
import { Time } from "@/ui/Time";
import { WorkflowLink } from "@/ui/WorkflowLink";
import { strings as frame } from "@/strings";
import type { Execution } from "./status";
import { strings } from "./strings";

const { facts: text } = strings;

/** Shows facts about the rollout, including its workflow. */
export function RolloutFacts({ execution }: { execution: Execution }) {
  const { slug: project } = useProject();
  const { schedule } = execution;
  return (
    <Facts
      facts={[
        [strings.release, <ReleaseLink key="release" release={execution} />],
        [text.commit, <Commit key="commit" hash={execution.gitCommitHash} author={execution.gitAuthor} />],
        [
          strings.policy,
          execution.policyId === null ? (
            `${execution.policyName} (${strings.deletedPolicy})`
          ) : (
            <Link key="policy" to="/$project/policies/$id" params={{ project, id: String(execution.policyId) }} className="text-link hover:underline">
              {execution.policyName}
            </Link>
          ),
        ],
        [text.channel, execution.channel ?? frame.unknown],
        [text.platform, frame.platforms[execution.platform]],
        [text.runtime, execution.runtimeVersion],
        [text.action, text.actions[execution.thresholds.action ?? "auto-rollback"]],
        ...(schedule.startAt ? [[text.startAt, <Time key="startAt" at={schedule.startAt} exact />] as [string, React.ReactNode]] : []),
        ...(schedule.freezeWindows.length ? [[text.freeze, text.windows(schedule.freezeWindows.length, schedule.timeZone)] as [string, React.ReactNode]] : []),
        [text.started, <Time key="started" at={execution.startedAt} exact />],
        [text.stageStarted, <Time key="stage" at={execution.stageStartedAt} exact />],
        ...(execution.endedAt ? [[text.ended, <Time key="ended" at={execution.endedAt} exact />] as [string, React.ReactNode]] : []),
        [text.flags, execution.linkedFlags.map((flag) => flag.flagKey).join(", ") || frame.state.none],
        [text.workflow, <WorkflowLink key="workflow" workflow={execution} />],
        [text.run, <code key="run" className="font-mono text-xs break-all">{execution.runId || frame.unknown}</code>],
      ]}
    />
  );
}
