import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Schemas } from "./client";
import { Problem } from "./problem";
import { useApi, useProject } from "./project";

/** The releases and health of one target: a channel, platform and runtime version. */
export type Stream = Schemas["StreamOverview"];

/**
 * Queries the overview of all targets. While telemetry is unavailable, the last metrics stay, as they do while the server does not
 * respond. If there are no metrics to keep, the rows have none.
 */
export function useOverview() {
  const { client } = useProject();
  const queries = useQueryClient();
  const { queryKey } = useApi().queryOptions("get", "/v1/ota/overview");
  return useQuery<Stream[]>({
    queryKey,
    queryFn: async ({ signal }) => {
      const { data = [], response } = await client.GET("/v1/ota/overview", { signal });
      const missing = response.headers.get("Waft-Incomplete");
      if (missing !== null && !mayShow(data, queries.getQueryData<Stream[]>(queryKey))) {
        throw new Problem({ status: 503, code: "unavailable", detail: missing, requestId: response.headers.get("X-Request-Id") });
      }
      return data;
    },
  });
}

/** Returns the devices whose last report is of the release, and all devices of the targets that have the release. */
export function devicesOn(release: Pick<Schemas["Update"], "id" | "channel" | "platform" | "runtimeVersion">, rows: Stream[]) {
  const sum = { devices: 0, all: 0 };
  for (const row of rows) {
    const on = (row.distribution ?? []).find((each) => each.updateId === release.id);
    const isTarget = row.channel === release.channel && row.platform === release.platform && row.runtimeVersion === release.runtimeVersion;
    if (!on && !isTarget) continue;
    sum.devices += on?.devices ?? 0;
    sum.all += row.devices ?? 0;
  }
  return sum;
}

/** Returns the figures and limits of the release on the first target that it is served to. */
export function servedAs(release: Pick<Schemas["Update"], "id">, rows: Stream[] | undefined) {
  return rows?.flatMap((row) => row.served).find((each) => each.updateId === release.id);
}

/** Reports whether a rate is known and above its limit. */
export function exceeds(rate: number | null | undefined, limit: Schemas["HealthLimit"] | undefined): boolean {
  return rate != null && limit !== undefined && rate > limit.rate;
}

/** Returns the devices by release ID whose last report is of the release, or null while they are unknown. */
export function devicesByRelease(rows: Stream[] | undefined): Map<number, number> | null {
  if (!rows || rows.some((row) => row.distribution === null)) return null;
  const devices = new Map<number, number>();
  for (const row of rows) {
    for (const { updateId, devices: number } of row.distribution ?? []) {
      if (updateId !== null) devices.set(updateId, (devices.get(updateId) ?? 0) + number);
    }
  }
  return devices;
}

/** Reports whether to show rows without metrics: only if there are rows, and the rows shown now have no metrics either. */
function mayShow(rows: Stream[], shown: Stream[] | undefined): boolean {
  return rows.length > 0 && !shown?.some(({ devices }) => devices !== null);
}
