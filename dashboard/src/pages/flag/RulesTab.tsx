import type { Schemas } from "@/api/client";
import { usePages } from "@/api/pages";
import { Facts } from "@/ui/Facts";
import { Panel } from "@/ui/Panel";
import { RolloutLink } from "@/ui/RolloutLink";
import { Time } from "@/ui/Time";
import { Schedules } from "./Schedules";
import { nameOf } from "./sentence";
import type { Draft, Flag } from "./draft";
import { LinkingReleases } from "./LinkingReleases";
import { Rules } from "./Rules";
import { strings } from "./strings";

interface Props {
  flag: Flag;
  before: Draft;
  draft: Draft;
  onChange: (change: Partial<Draft>) => void;
  disabled: boolean;
  segments: Schemas["Segment"][];
}

/** The tab with the rules, facts about the flag, and the releases that set it. */
export function RulesTab(props: Props) {
  const { flag, draft } = props;
  const updates = usePages<Schemas["Update"]>("/v1/ota/updates", { flagId: flag.id });
  const text = strings.facts;
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[3fr_1fr]">
      <Rules {...props} />
      <div className="flex min-w-0 flex-col gap-4">
        <Panel title={text.title}>
          <Facts
            facts={[
              [text.key, <span className="font-mono text-xs break-all">{flag.key}</span>],
              [text.type, text.types[flag.flagType]],
              [strings.diff.defaultValue, nameOf(draft.defaultValue, draft.variations)],
              [
                text.rollouts,
                flag.activeRollouts.length === 0
                  ? "—"
                  : flag.activeRollouts.map((id) => (
                      <span key={id} className="block text-link">
                        <RolloutLink id={id} release={updates.data?.find(({ rolloutExecutionId }) => rolloutExecutionId === id)} />
                      </span>
                    )),
              ],
              [text.created, <Time at={flag.createdAt} />],
              [text.changed, <Time at={flag.updatedAt} />],
            ]}
          />
        </Panel>
        <Schedules flagId={flag.id} />
        <LinkingReleases flag={flag} query={updates} />
      </div>
    </div>
  );
}
