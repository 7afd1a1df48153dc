import { queryOptions, useQuery } from "@tanstack/react-query";
import { createApiClient, type Schemas } from "@/api/client";
import { createQueryClient } from "@/api/project";

const client = createApiClient();

/** The query cache for data that does not belong to one project. */
export const queries = createQueryClient();

/** Queries the signed-in account and its projects. */
export const meQuery = queryOptions({
  queryKey: ["me"],
  staleTime: 60_000,
  queryFn: async ({ signal }) => (await client.GET("/v1/me", { signal })).data as Schemas["Me"],
});

/** Returns the signed-in account. Outside of a project there is no event stream, so `isFollowed` polls every 15 s. */
export function useMe({ isFollowed = false } = {}) {
  return useQuery({ ...meQuery, ...(isFollowed && { refetchOnMount: "always", refetchInterval: 15_000 }) }, queries);
}

/** The client for calls about accounts rather than one project. */
export const peopleClient = client;
