import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useProject } from "./project";

/** The longest page of a list that the API answers. */
export const pageLength = 200;

export type ListFilter = Record<string, string | number | boolean | undefined>;

/**
 * A list of the API, newest first, page by page: `rows` are all that are loaded, `more` loads the next page and is
 * undefined after the last. The query's `data` are the rows, as panels take it.
 */
export function usePages<T extends { id: number }>(path: string, filter: ListFilter = {}) {
  const { client } = useProject();
  const query = useInfiniteQuery({
    queryKey: ["pages", path, filter],
    initialPageParam: undefined as number | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const get = client.GET as (path: string, options: object) => Promise<{ data?: T[] }>;
      const { data } = await get(path, { params: { query: { ...filter, limit: pageLength, before: pageParam } }, signal });
      return data ?? [];
    },
    getNextPageParam: (page: T[]) => (page.length < pageLength ? undefined : page.at(-1)?.id),
  });
  const pages = query.data?.pages;
  const rows = useMemo(() => pages?.flat(), [pages]);
  return {
    data: rows,
    error: query.error,
    dataUpdatedAt: query.dataUpdatedAt,
    refetch: query.refetch,
    more: query.hasNextPage ? () => void query.fetchNextPage() : undefined,
  };
}

