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

/** Reports whether a rate is known and above its limit. */
export function exceeds(rate: number | null | undefined, limit: Schemas["HealthLimit"] | undefined): boolean {
  return rate != null && limit !== undefined && rate > limit.rate;
}

/** Reports whether to show rows without metrics: only if there are rows, and the rows shown now have no metrics either. */
function mayShow(rows: Stream[], shown: Stream[] | undefined): boolean {
  return rows.length > 0 && !shown?.some(({ devices }) => devices !== null);
}
