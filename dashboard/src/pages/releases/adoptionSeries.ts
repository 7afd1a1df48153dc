import type { Schemas } from "@/api/client";
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
  const ids = new Map(adoption.map(({ updateUuid, updateId }) => [updateUuid, updateId]));
  const nameOf = (uuid: string) => {
    const id = ids.get(uuid);
    return id ? strings.adoption.release(id) : uuid.slice(0, 8);
  };
  const devicesOf = (is: (uuid: string | null) => boolean) =>
    times.map((at) => adoption.reduce((sum, each) => (Date.parse(each.date) === at && is(each.updateUuid) ? sum + each.devices : sum), 0));
  const series: ChartProps["series"] = shown.map((uuid) => ({ label: nameOf(uuid), values: devicesOf((each) => each === uuid) }));
  if (total.size > shown.length) series.push({ label: strings.adoption.others, values: devicesOf((each) => each !== null && !shown.includes(each)) });
  if (adoption.some(({ updateUuid }) => updateUuid === null)) series.push({ label: strings.adoption.embedded, values: devicesOf((each) => each === null), colour: "muted" });
  return { times, series };
}
