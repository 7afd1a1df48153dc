// @vitest-environment happy-dom
import { InfiniteQueryObserver, QueryClient } from "@tanstack/react-query";
import { expect, it } from "vitest";
import type { ApiClient } from "./client";
import { askAgain, nextPage, wholeList } from "./pages";

/** Creates a list with the given number of loaded pages, which counts how often a page is requested. */
async function listOf(length: number) {
  const queries = new QueryClient();
  let asked = 0;
  const list = new InfiniteQueryObserver(queries, {
    queryKey: ["pages", "/v1/ota/updates", {}],
    initialPageParam: 0,
    queryFn: ({ pageParam }) => {
      asked++;
      return { rows: [pageParam], askedAt: Date.now() };
    },
    getNextPageParam: (_, all) => all.length,
  });
  list.subscribe(() => {});
  await list.refetch();
  while (list.getCurrentResult().data!.pages.length < length) await list.fetchNextPage();
  asked = 0;
  await askAgain(queries, (query) => query.queryKey[0] === "pages");
  return { asked, changedAt: queries.getQueryData(["changed", ["pages", "/v1/ota/updates", {}]]) };
}

it("refetches a list of a few pages", async () => {
  expect(await listOf(3)).toEqual({ asked: 3, changedAt: undefined });
});

it("keeps a longer list, and marks it as changed", async () => {
  expect(await listOf(4)).toEqual({ asked: 0, changedAt: expect.any(Number) });
});

it("follows the Link header", () => {
  expect(nextPage('</v1/ota/updates?before=17&limit=200>; rel="next"')).toEqual({ before: "17", limit: "200" });
  expect(nextPage(null)).toBeUndefined();
});

it("requests a whole list page by page", async () => {
  const asked: unknown[] = [];
  const client = {
    GET: async (_path: string, { params }: { params: { query: { before?: string } } }) => {
      asked.push(params.query);
      const before = Number(params.query.before ?? 5);
      const next = before > 3 ? `</v1/ota/flags?state=stale&limit=200&before=${before - 2}>; rel="next"` : null;
      return { data: [before - 1, before - 2], response: new Response(null, { headers: next ? { Link: next } : {} }) };
    },
  } as unknown as ApiClient;
  expect(await wholeList(client, "/v1/ota/flags", { state: "stale" }, new AbortController().signal)).toEqual([4, 3, 2, 1]);
  expect(asked).toEqual([
    { state: "stale", limit: 200 },
    { state: "stale", limit: "200", before: "3" },
  ]);
});
