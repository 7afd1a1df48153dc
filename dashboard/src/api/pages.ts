import { useInfiniteQuery, useQuery, skipToken, type InfiniteData, type Query, type QueryClient, type QueryKey } from "@tanstack/react-query";
import { useMemo } from "react";
import type { ApiClient } from "./client";
import { useProject } from "./project";

/** The maximum length of a page that the API returns. */
export const pageLength = 200;

/** A list with more loaded pages than this is not refetched at every change. */
export const mostFollowed = 3;

export type ListFilter = Record<string, string | number | boolean | undefined>;

interface Rows<T> {
  rows: T[];
  next: Record<string, string> | undefined;
  /** The number of rows on all pages, if it was asked for. */
  total: number | undefined;
  /** When the page was requested, in milliseconds. */
  askedAt: number;
}

/** Returns the query of the next page from a Link header, or undefined after the last page. */
export function nextPage(link: string | null): Record<string, string> | undefined {
  const address = link?.match(/<([^>]*)>\s*;\s*rel="?next"?/)?.[1];
  return address ? Object.fromEntries(new URL(address, "http://waft.invalid").searchParams) : undefined;
}

/** Reports whether the query is a list that is too long to be refetched at every change, or that is loading its next page. */
function isKept({ queryKey, state }: Pick<Query, "queryKey" | "state">): boolean {
  if (queryKey[0] !== "pages") return false;
  const data = state.data as InfiniteData<unknown> | undefined;
  return (data?.pages.length ?? 0) > mostFollowed || (state.fetchStatus === "fetching" && Boolean(state.fetchMeta?.fetchMore));
}

const changedKey = (list: QueryKey) => ["changed", list];

/**
 * Refetches the queries that match. A long list is not refetched but marked as changed: its panel offers to load it again.
 */
export function askAgain(queries: QueryClient, matches: (query: Query) => boolean, options?: { cancelRefetch: boolean }): Promise<void> {
  for (const { queryKey } of queries.getQueryCache().findAll({ predicate: (query) => matches(query) && isKept(query) })) {
    queries.setQueryData(changedKey(queryKey), Date.now());
  }
  return queries.invalidateQueries({ predicate: (query) => matches(query) && !isKept(query) }, options);
}

async function pageOf<T>(client: ApiClient, path: string, query: ListFilter, signal: AbortSignal): Promise<Rows<T>> {
  const askedAt = Date.now();
  const get = client.GET as (path: string, options: object) => Promise<{ data?: T[]; response: Response }>;
  const { data, response } = await get(path, { params: { query }, signal });
  const total = response.headers.get("X-Total-Count");
  return { rows: data ?? [], next: nextPage(response.headers.get("Link")), total: total === null ? undefined : Number(total), askedAt };
}

/**
 * Queries all pages of a list, as one query. For lists that are short in most projects, and whose rows must not be missing where others
 * refer to them.
 */
export function useWholeList<T>(path: string, filter: ListFilter = {}, options: { enabled?: boolean } = {}) {
  const { client } = useProject();
  return useQuery({ ...options, queryKey: ["whole", path, filter], queryFn: ({ signal }) => wholeList<T>(client, path, filter, signal) });
}

/** Requests one page after the other. */
export async function wholeList<T>(client: ApiClient, path: string, filter: ListFilter, signal: AbortSignal): Promise<T[]> {
  const rows: T[] = [];
  for (let next: ListFilter | undefined = { ...filter, limit: pageLength }; next !== undefined; ) {
    const page: Rows<T> = await pageOf<T>(client, path, next, signal);
    rows.push(...page.rows);
    next = page.next;
  }
  return rows;
}

/**
 * Queries a list of the API page by page, following its Link headers. `data` has the loaded rows. `more` loads the next page and is
 * undefined after the last. The result can be passed to Panel as its query.
 */
export function usePages<T>(path: string, filter: ListFilter = {}) {
  const { client } = useProject();
  const queryKey = ["pages", path, filter];
  const query = useInfiniteQuery({
    queryKey,
    initialPageParam: { ...filter, limit: pageLength } as ListFilter,
    queryFn: ({ pageParam, signal }) => pageOf<T>(client, path, pageParam, signal),
    getNextPageParam: (page) => page.next,
    // While another search or order of the same list loads, the rows stay, and so do the controls above them.
    placeholderData: (previous, of) => (of?.queryKey[1] === path ? previous : undefined),
    refetchOnWindowFocus: (query) => !isKept(query as Pick<Query, "queryKey" | "state">),
    refetchOnMount: (query) => !isKept(query as Pick<Query, "queryKey" | "state">),
  });
  const changedAt = useQuery<number>({ queryKey: changedKey(queryKey), queryFn: skipToken }).data ?? 0;
  const pages = query.data?.pages;
  const rows = useMemo(() => pages?.flatMap((page) => page.rows), [pages]);
  const byPage = useMemo(() => pages?.map((page) => page.rows) ?? [], [pages]);
  const oldest = pages ? Math.min(...pages.map((page) => page.askedAt)) : 0;
  return {
    data: rows,
    /** The rows of each loaded page. */
    byPage,
    /** The number of rows on all pages, with the filter `count`. */
    total: pages?.at(-1)?.total,
    error: query.error,
    /** When the oldest of the loaded pages was requested. */
    dataUpdatedAt: oldest,
    /** True if something has changed since then and the list was not refetched. */
    isOutdated: changedAt > oldest,
    isRefetching: query.isRefetching,
    refetch: query.refetch,
    more: query.hasNextPage ? () => void query.fetchNextPage() : undefined,
  };
}
