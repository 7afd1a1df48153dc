import { useQuery } from "@tanstack/react-query";
import { useProject } from "@/api/project";
import type { Flag } from "./draft";

/** Queries the flag with its ETag. Saving sends the ETag as If-Match. */
export function useFlag(id: number) {
  const { client } = useProject();
  const path = "/v1/ota/flags/{id}";
  return useQuery({
    queryKey: ["get", path, { params: { path: { id } } }, "etag"],
    queryFn: async ({ signal }) => {
      const { data, response } = await client.GET(path, { params: { path: { id } }, signal });
      return { flag: data as Flag, etag: response.headers.get("ETag") ?? "*" };
    },
  });
}
