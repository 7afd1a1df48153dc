import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "@/api/client";
import { useProject } from "@/api/project";

/** A policy with its ETag, which saving names. */
export interface Stored {
  policy: Schemas["RolloutPolicy"];
  etag: string;
}

const path = "/v1/ota/rollout-policies/{id}";

export const policyKey = (id: number) => ["get", path, { params: { path: { id } } }, "etag"];

export function usePolicy(id: number) {
  const { client } = useProject();
  return useQuery<Stored>({
    queryKey: policyKey(id),
    queryFn: async ({ signal }) => {
      const { data, response } = await client.GET(path, { params: { path: { id } }, signal });
      return { policy: data as Stored["policy"], etag: response.headers.get("ETag") ?? "*" };
    },
  });
}
