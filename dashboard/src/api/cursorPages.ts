import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { pageLength, type ListFilter } from "./pages";
import { useProject } from "./project";

/** The cursor of the next page, out of a Link header; undefined after the last page. */
export function nextCursor(link: string | null): string | undefined {
  const address = link?.match(/<([^>]*)>\s*;\s*rel="?next"?/)?.[1];
  if (!address) return undefined;
  return new URL(address, "http://waft.invalid").searchParams.get("cursor") ?? undefined;
}

/** A list of telemetry, whose pages follow each other by the cursor of the Link header. It is used as usePages is. */
export function useCursorPages<T>(path: string, filter: ListFilter = {}) {
  const { client } = useProject();
  const query = useInfiniteQuery({
    queryKey: ["pages", path, filter, "cursor"],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const get = client.GET as (path: string, options: object) => Promise<{ data?: T[]; response: Response }>;
      const { data, response } = await get(path, { params: { query: { ...filter, limit: pageLength, cursor: pageParam } }, signal });
      return { rows: data ?? [], next: nextCursor(response.headers.get("Link")) };
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
