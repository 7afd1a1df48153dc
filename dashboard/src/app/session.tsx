import { queryOptions, useQuery } from "@tanstack/react-query";
import { createApiClient, type Schemas } from "@/api/client";

const client = createApiClient();

/** Who is signed in, and their projects. Its cache is the one above all projects. */
export const meQuery = queryOptions({
  queryKey: ["me"],
  staleTime: 60_000,
  queryFn: async ({ signal }) => (await client.GET("/v1/me", { signal })).data as Schemas["Me"],
});

export function useMe() {
  return useQuery(meQuery);
}

/** A client for calls that are about people, not about one project. */
export const peopleClient = client;
