import type { Schemas } from "@/api/client";
import { pageLength } from "@/api/pages";
import { useApi } from "@/api/project";
import { Facts } from "@/ui/Facts";
import { Panel } from "@/ui/Panel";
import { ReleaseLink } from "@/ui/ReleaseLink";
import { RolloutLink } from "@/ui/RolloutLink";
import { Time } from "@/ui/Time";
import { Schedules } from "./Schedules";
import { nameOf } from "./sentence";
import type { Draft, Flag } from "./draft";
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
  const updates = useApi().useQuery("get", "/v1/ota/updates", { params: { query: { flagId: flag.id, limit: pageLength } } });
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
        <Panel title={strings.releases.title} query={updates} placeholder="h-16">
          {(rows) => {
            const linked = rows.flatMap((row) => row.linkedFlags.filter(({ flagId }) => flagId === flag.id).map((link) => ({ row, link })));
            if (linked.length === 0) return <p className="text-muted">{strings.releases.none}</p>;
            return (
              <ul className="flex flex-col gap-1.5">
                {linked.map(({ row, link }) => (
                  <li key={row.id} className="break-words">
                    <ReleaseLink release={row} />{" "}
                    <span className="text-muted">{link.enabled ? strings.releases.is(nameOf(link.value ?? "true", flag.variations)) : strings.releases.off}</span>
                  </li>
                ))}
              </ul>
            );
          }}
        </Panel>
      </div>
    </div>
  );
}
