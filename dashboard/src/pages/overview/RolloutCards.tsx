import { Link } from "@tanstack/react-router";
import type { Stream } from "@/api/overview";
import { useProject } from "@/api/project";
import { percent } from "@/format/format";
import { releaseName } from "@/format/releaseName";
import { useNow } from "@/format/useNow";
import { Badge } from "@/ui/Badge";
import { cx } from "@/ui/cx";
import { ReleaseNumber } from "@/ui/ReleaseNumber";
import { Track } from "@/ui/Track";
import { publishesOf, type Publish, type Running } from "./publishes";
import { strings } from "./strings";
import { WaitingCall } from "./WaitingCall";
import { waitsFor } from "./waits";

const text = strings.rollouts;

/** Shows what is rolling out: a card per publish, with a line per platform. */
export function RolloutCards({ rows }: { rows: Stream[] }) {
  return publishesOf(rows).map((publish) => <Card key={publish.groupId} publish={publish} />);
}

function Card({ publish }: { publish: Publish }) {
  const { rollouts } = publish;
  const first = rollouts[0]?.rollout;
  if (!first) return null;
  const isBroken = rollouts.some(({ row, rollout }) => row.incidents > 0 || rollout.waitingFor === "threshold");
  const name = releaseName(first);
  return (
    <section aria-label={text.of(name)} className={cx("rounded-lg border border-l-4 bg-panel shadow-sm", isBroken ? "border-l-bad" : "border-l-info")}>
      <h2 className="px-4 pt-3 text-base/snug font-semibold break-words">{text.of(name)}</h2>
      <ul className="divide-y px-4 pb-1">
        {rollouts.map((running) => (
          <Line key={running.rollout.id} running={running} />
        ))}
      </ul>
    </section>
  );
}

/** Shows the rollout on one platform: its stage, its percentage, and what it waits for. */
function Line({ running: { row, rollout } }: { running: Running }) {
  const { slug: project } = useProject();
  const now = useNow();
  const platform = strings.platforms[rollout.platform] ?? rollout.platform;
  const stage = text.stage(rollout.stageIndex + 1, rollout.stageCount, percent(rollout.percentage));
  const isPaused = rollout.status === "paused";
  return (
    <li className="grid items-center gap-x-6 gap-y-1 py-2.5 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_minmax(0,1.5fr)]">
      <p className="flex min-w-0 flex-wrap items-baseline gap-x-2">
        <span className="font-medium">{platform}</span>
        <span className="min-w-0 truncate text-muted">{row.channel}</span>
        <ReleaseNumber id={rollout.updateId} />
        {row.incidents > 0 && <Badge tone="bad">{strings.incidents(row.incidents)}</Badge>}
      </p>
      <div>
        <Link
          to="/$project/rollouts/$id"
          params={{ project, id: String(rollout.id) }}
          aria-label={`${platform}: ${stage}`}
          className="inline-flex min-h-6 items-center font-medium text-link tabular-nums hover:underline"
        >
          {stage}
        </Link>
        <Track value={rollout.percentage} label={text.share(platform)} tone={isPaused ? "warn" : "info"} />
      </div>
      <div className="text-xs break-words">
        <p className={isPaused ? "text-warn" : "text-muted"}>{waitsFor(rollout, now)}</p>
        <WaitingCall row={row} />
      </div>
    </li>
  );
}
