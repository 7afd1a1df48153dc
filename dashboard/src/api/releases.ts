import { useMemo } from "react";
import type { Schemas } from "./client";
import { pageLength } from "./pages";
import { useApi } from "./project";

export type Release = Schemas["Update"];

/** The query of the newest releases. */
export const useReleaseQuery = () => useApi().useQuery("get", "/v1/ota/updates", { params: { query: { limit: pageLength } } });

/** The newest releases by their uuid; undefined while they load. Telemetry names releases by uuid only. */
export function useReleases(): Map<string, Release> | undefined {
  const { data } = useReleaseQuery();
  return useMemo(() => data && new Map(data.map((release) => [release.updateUuid, release])), [data]);
}
