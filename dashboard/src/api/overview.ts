import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Schemas } from "./client";
import { Problem } from "./problem";
import { useApi, useProject } from "./project";

/** What one platform and runtime version of a channel runs. */
export type Stream = Schemas["StreamOverview"];

/**
 * What runs where. While telemetry is away the last figures stay, as when nothing answers; without figures to keep, the
 * rows come without figures.
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

/** Whether rows without figures are better than what is shown. No row does not mean that no device has reported. */
function mayShow(rows: Stream[], shown: Stream[] | undefined): boolean {
  return rows.length > 0 && !shown?.some(({ devices }) => devices !== null);
}
