import { useMemo } from "react";
import type { Schemas } from "./client";
import { pageLength } from "./pages";
import { useApi } from "./project";

export type Release = Schemas["Update"];

/** Parameters of the query for the newest releases. */
export const useReleaseQuery = () => useApi().useQuery("get", "/v1/ota/updates", { params: { query: { limit: pageLength } } });

/** Returns the newest releases by update ID, or undefined while they load. Telemetry identifies releases only by update ID. */
export function useReleases(): Map<string, Release> | undefined {
  const { data } = useReleaseQuery();
  return useMemo(() => data && new Map(data.map((release) => [release.updateUuid, release])), [data]);
}
