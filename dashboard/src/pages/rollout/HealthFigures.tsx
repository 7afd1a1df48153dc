import { count, percent } from "@/format/format";
import type { Schemas } from "@/api/client";
import type { Tone } from "@/ui/Badge";
import { Figure, NoReports } from "@/ui/Figure";
import { decidesAt, evidenceText, limitsOf } from "./curve";
import type { Execution } from "./status";
import { strings } from "./strings";

const { health: text } = strings;
const defaultNetworks = 3;

/** Shows the counts of the last observation, with the thresholds of the stage. */
export function HealthFigures({ execution }: { execution: Execution }) {
  const { health } = execution;
  if (!health) return <p className="text-muted">{text.none}</p>;
  const limits = limitsOf(execution, execution.stageIndex);
  const ignored = [
    health.ignoredReasons.notServed > 0 && text.notServed(count(health.ignoredReasons.notServed)),
    health.ignoredReasons.notInShare > 0 && text.notInShare(count(health.ignoredReasons.notInShare)),
    health.ignoredReasons.rateLimited > 0 && text.rateLimited(count(health.ignoredReasons.rateLimited)),
  ].filter((each) => each !== false);
  const rates = [
    { label: text.crashes, rate: health.crashRate, affected: health.crashedDevices, limit: limits.crashRate },
    { label: text.errors, rate: health.errorRate, affected: health.erroredDevices, limit: limits.errorRate },
  ];
  return (
    <div className="grid grid-cols-2 gap-4 sm:grid-cols-3 lg:grid-cols-6">
      {rates.map(({ label, rate, affected, limit }) => (
        <Figure
          key={label}
          label={label}
          value={health.devices > 0 ? percent(rate) : <NoReports />}
          tone={tone(rate, limit)}
          note={[health.devices > 0 && text.of(count(affected), count(health.devices)), limit == null ? text.noLimit : text.limit(percent(limit))].filter(Boolean).join(", ")}
        />
      ))}
      <Figure
        label={text.evidence}
        value={evidenceText(health.devices > 0 ? health.evidence : null)}
        tone={health.evidence >= decidesAt ? "bad" : "plain"}
        note={limits.method === "point" ? text.point : text.decides}
      />
      <Figure label={text.devices} value={count(health.devices)} note={text.launches(count(health.launches))} />
      {limits.minNetworks === 1 ? (
        <Figure label={text.votes} value={count(health.votes.networks)} note={text.each} />
      ) : (
        <Figure label={text.networks} value={count(health.votes.networks)} note={votesNote(health.votes, limits.minNetworks ?? defaultNetworks)} />
      )}
      <Figure label={text.ignored} value={count(health.ignoredDevices)} note={ignored.join(", ")} />
    </div>
  );
}

/** Describes how many votes the networks have, and how many a decision needs. */
function votesNote({ networks, allocations, weight }: Schemas["Votes"], least: number): string {
  return weight < networks ? text.votesOf(weight, allocations, least) : text.needs(least);
}

function tone(rate: number, limit: number | undefined): Tone {
  return limit != null && rate > limit ? "bad" : "plain";
}
