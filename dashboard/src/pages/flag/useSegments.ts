import { useQueries } from "@tanstack/react-query";
import type { Schemas } from "@/api/client";
import { pageLength } from "@/api/pages";
import { useApi } from "@/api/project";

/** How many segments a search for a key returns. The segment with exactly this key is the first. */
const found = 5;

/** Returns the segments that rules refer to by their keys, and others. A segment that the first page does not contain is searched for. */
export function useSegments(keys: string[]): Schemas["Segment"][] {
  const api = useApi();
  const first = api.useQuery("get", "/v1/ota/segments", { params: { query: { limit: pageLength } } });
  const known = first.data ?? [];
  const missing = first.data ? [...new Set(keys)].filter((key) => key !== "" && !known.some((each) => each.key === key)) : [];
  const others = useQueries({
    queries: missing.map((key) => api.queryOptions("get", "/v1/ota/segments", { params: { query: { search: key, limit: found } } })),
  });
  return [...known, ...others.flatMap(({ data }) => data ?? [])];
}
