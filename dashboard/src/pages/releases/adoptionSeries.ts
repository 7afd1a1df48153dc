import type { Schemas } from "@/api/client";
import { releaseColours } from "@/ui/releaseColours";
import { releaseLabels } from "@/format/releaseName";
import type { ChartProps } from "@/ui/chartProps";
import { strings } from "./strings";

/** Maximum number of releases with their own series. The other releases share one. */
const most = 4;

/**
 * Returns devices per day by release, most devices first, then the other releases, then the embedded update. A day without devices
 * is 0.
 */
export function adoptionSeries({ adoption, downloadsByDay }: Schemas["Adoption"]): Pick<ChartProps, "times" | "series"> {
  if (adoption.length === 0) return { times: [], series: [] };
  // downloadsByDay contains every day of the window.
  const times = downloadsByDay.map(({ date }) => Date.parse(date));
  const total = new Map<string, number>();
  for (const { updateUuid, devices } of adoption) if (updateUuid) total.set(updateUuid, (total.get(updateUuid) ?? 0) + devices);
  const shown = [...total.keys()].toSorted((a, b) => (total.get(b) ?? 0) - (total.get(a) ?? 0)).slice(0, most);
  const releases = new Map(adoption.map(({ updateUuid, release }) => [updateUuid, release]));
  const named = shown.flatMap((uuid) => releases.get(uuid) ?? []);
  const labels = releaseLabels(named);
  const colours = releaseColours(named.map(({ updateId }) => updateId));
  const devicesOf = (is: (uuid: string | null) => boolean) =>
    times.map((at) => adoption.reduce((sum, each) => (Date.parse(each.date) === at && is(each.updateUuid) ? sum + each.devices : sum), 0));
  const series: ChartProps["series"] = shown.map((uuid) => {
    const id = releases.get(uuid)?.updateId ?? 0;
    return { label: labels.get(id) ?? uuid.slice(0, 8), values: devicesOf((each) => each === uuid), colour: colours.get(id) };
  });
  if (total.size > shown.length) series.push({ label: strings.adoption.others, values: devicesOf((each) => each !== null && !shown.includes(each)), colour: "faint" });
  if (adoption.some(({ updateUuid }) => updateUuid === null)) series.push({ label: strings.adoption.embedded, values: devicesOf((each) => each === null), colour: "muted" });
  return { times, series };
}
