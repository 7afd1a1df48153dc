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

export function useMe() {
  return useQuery(meQuery, queries);
}

/** A client for calls that are about people, not about one project. */
export const peopleClient = client;
