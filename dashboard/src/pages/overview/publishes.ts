import type { Stream } from "@/api/overview";

/** An open rollout with its target. */
export interface Running {
  row: Stream;
  rollout: NonNullable<Stream["rollout"]>;
}

/** The open rollouts of one publish, one per platform. */
export interface Publish {
  groupId: string;
  rollouts: Running[];
}

/** Returns the publishes with an open rollout, paused ones first. Platforms belong to one publish if they have the same group. */
export function publishesOf(rows: Stream[]): Publish[] {
  const running = rows.flatMap((row) => (row.rollout ? [{ row, rollout: row.rollout }] : []));
  const groups = grouped(running, ({ rollout }) => rollout.groupId);
  const publishes = [...groups].map(([groupId, rollouts]) => ({ groupId, rollouts: unique(rollouts) }));
  return publishes.toSorted((a, b) => urgency(b) - urgency(a) || newest(b) - newest(a));
}

/** Several channels can show the same rollout, because they may point to one branch. */
const unique = (rollouts: Running[]) => rollouts.filter(({ rollout }, index) => rollouts.findIndex((other) => other.rollout.id === rollout.id) === index);

const urgency = ({ rollouts }: Publish) =>
  Math.max(...rollouts.map(({ row, rollout }) => (row.incidents > 0 ? 2 : rollout.status === "paused" || rollout.waitingFor === "threshold" ? 1 : 0)));

const newest = ({ rollouts }: Publish) => Math.max(...rollouts.map(({ rollout }) => Date.parse(rollout.startedAt)));

/** Returns the channels with their targets: channels with an incident first, then channels with a rollout, then calm ones. */
export function channelsOf(rows: Stream[]): [channel: string, rows: Stream[]][] {
  const rank = (of: Stream[]) => (of.some((row) => row.incidents > 0) ? 2 : of.some((row) => row.rollout) ? 1 : 0);
  return [...grouped(rows, (row) => row.channel)].toSorted(([, a], [, b]) => rank(b) - rank(a));
}

function grouped<T>(all: T[], keyOf: (each: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const each of all) groups.set(keyOf(each), [...(groups.get(keyOf(each)) ?? []), each]);
  return groups;
}
