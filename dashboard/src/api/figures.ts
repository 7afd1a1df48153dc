import { useQueries, useQueryClient, type QueryClient, type UseQueryResult } from "@tanstack/react-query";
import type { Schemas } from "./client";
import { mostFollowed } from "./pages";
import { useApi } from "./project";

/** The devices and the health of a release in the last 24 hours. */
export type Figures = Schemas["ReleaseFigures"];

const path = "/v1/ota/insights/releases";
const paramsOf = (ids: number[]) => ({ params: { query: { updateIds: ids.join(",") } } });

/** Queries the figures of some releases in one request. */
export function useFiguresOf(ids: number[]) {
  return useApi().useQuery("get", path, paramsOf(ids), { enabled: ids.length > 0 });
}

/**
 * Queries the figures of releases, one request per page, and returns them by release ID. Releases are missing while their figures
 * are unknown. Only the first pages follow changes and reports.
 */
export function useFigures(pages: number[][]): Map<number, Figures> {
  const api = useApi();
  const queries = useQueryClient();
  return useQueries({
    queries: pages.map((ids, index) => ({
      ...api.queryOptions("get", path, paramsOf(ids)),
      enabled: ({ state }: { state: { data: unknown } }) => ids.length > 0 && (index < mostFollowed || state.data === undefined),
      // When the page has a new release, the others keep their figures until the new response arrives.
      placeholderData: () => known(queries, ids),
    })),
    combine: byRelease,
  });
}

function known(queries: QueryClient, ids: number[]): Figures[] {
  const found = new Map<number, Figures>();
  for (const [, figures] of queries.getQueriesData<Figures[]>({ queryKey: ["get", path] })) {
    for (const each of figures ?? []) found.set(each.updateId, each);
  }
  return ids.flatMap((id) => found.get(id) ?? []);
}

function byRelease(results: UseQueryResult<Figures[]>[]): Map<number, Figures> {
  return new Map(results.flatMap(({ data }) => data ?? []).map((figures) => [figures.updateId, figures]));
}
