import { queryOptions, useQuery } from "@tanstack/react-query";
import { createApiClient, type Schemas } from "@/api/client";
import { createQueryClient } from "@/api/project";

const client = createApiClient();

/** The cache above all projects. */
export const queries = createQueryClient();

/** Who is signed in, and their projects. */
export const meQuery = queryOptions({
  queryKey: ["me"],
  staleTime: 60_000,
  queryFn: async ({ signal }) => (await client.GET("/v1/me", { signal })).data as Schemas["Me"],
});

/** Who is signed in. Above all projects there is no stream: with `isFollowed` it is asked for every 15 s. */
export function useMe({ isFollowed = false } = {}) {
  return useQuery({ ...meQuery, ...(isFollowed && { refetchOnMount: "always", refetchInterval: 15_000 }) }, queries);
}

/** A client for calls that are about people, not about one project. */
export const peopleClient = client;
