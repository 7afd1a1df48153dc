import { exceeds, type Stream } from "@/api/overview";
import { count, percent } from "@/format/format";
import { strings } from "./strings";

export type Broken = Stream["broken"][number];

/** A broken release on one target. */
export interface BrokenLine {
  row: Stream;
  broken: Broken;
}

/** The broken releases of one publish, one line per target. */
export interface BrokenPublish {
  id: string;
  lines: BrokenLine[];
}

const text = strings.broken;

/** Returns the publishes with a broken release. A publish that devices still get comes first, then the newest. */
export function brokenPublishes(rows: Stream[]): BrokenPublish[] {
  const publishes = new Map<string, BrokenLine[]>();
  for (const row of rows) {
    for (const broken of row.broken) {
      const id = broken.health.release?.groupId ?? `${row.channel} ${row.platform} ${row.runtimeVersion}`;
      publishes.set(id, [...(publishes.get(id) ?? []), { row, broken }]);
    }
  }
  const isServed = (lines: BrokenLine[]) => Number(lines.some(({ broken }) => broken.isServed));
  const newest = (lines: BrokenLine[]) => Math.max(...lines.map(({ broken }) => broken.health.updateId ?? 0));
  return [...publishes].map(([id, lines]) => ({ id, lines })).toSorted((a, b) => isServed(b.lines) - isServed(a.lines) || newest(b.lines) - newest(a.lines));
}

/** Returns what is wrong with the release, with the figure, the devices that it is a percentage of, and the limit. "" if it is unknown. */
export function whatIsWrong({ health, incident }: Pick<Broken, "health" | "incident">): string {
  const devices = count(health.devices);
  if (exceeds(health.crashRate, health.crashLimit)) return text.crashFree(percent(health.crashFreePercentage), devices, percent(100 - health.crashLimit.rate));
  if (exceeds(health.errorRate, health.errorLimit)) return text.errors(percent(health.errorRate), devices, percent(health.errorLimit.rate));
  return incident ? text.incident(percent(incident.errorRate), count(incident.devices), percent(incident.baselineErrorRate)) : "";
}

/** Returns the devices that run the release, of all devices of the target. "" while they are unknown. */
export function stillRun({ row, broken }: BrokenLine): string {
  if (row.distribution === null || row.devices === null) return "";
  const on = row.distribution.find(({ updateId }) => updateId === broken.health.updateId);
  return text.run(count(on?.devices ?? 0), count(row.devices));
}
