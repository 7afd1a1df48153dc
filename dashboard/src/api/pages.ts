import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useProject } from "./project";

/** The longest page of a list that the API answers. */
export const pageLength = 200;

export type ListFilter = Record<string, string | number | boolean | undefined>;

/** The query of the next page, out of a Link header; undefined after the last page. */
export function nextPage(link: string | null): Record<string, string> | undefined {
  const address = link?.match(/<([^>]*)>\s*;\s*rel="?next"?/)?.[1];
  return address ? Object.fromEntries(new URL(address, "http://waft.invalid").searchParams) : undefined;
}

/**
 * A list of the API page by page, as its Link headers lead: `data` are the rows that are loaded, `more` loads the next page
 * and is undefined after the last. Panels take it as their query.
 */
export function usePages<T>(path: string, filter: ListFilter = {}) {
  const { client } = useProject();
  const query = useInfiniteQuery({
    queryKey: ["pages", path, filter],
    initialPageParam: { ...filter, limit: pageLength } as ListFilter,
    queryFn: async ({ pageParam, signal }) => {
      const get = client.GET as (path: string, options: object) => Promise<{ data?: T[]; response: Response }>;
      const { data, response } = await get(path, { params: { query: pageParam }, signal });
      return { rows: data ?? [], next: nextPage(response.headers.get("Link")) };
    },
    getNextPageParam: (page) => page.next,
  });
  const pages = query.data?.pages;
  const rows = useMemo(() => pages?.flatMap((page) => page.rows), [pages]);
  return {
    data: rows,
    error: query.error,
    dataUpdatedAt: query.dataUpdatedAt,
    refetch: query.refetch,
    more: query.hasNextPage ? () => void query.fetchNextPage() : undefined,
  };
}
