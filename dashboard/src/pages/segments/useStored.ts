import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "@/api/client";
import { useProject } from "@/api/project";

/** A segment with its ETag, which saving names. */
export interface Stored {
  segment: Schemas["Segment"];
  etag: string;
}

/** The segment as it is when its dialog opens; asked again only by `refetch`. */
export function useStored(id: number | undefined) {
  const { client } = useProject();
  return useQuery<Stored>({
    queryKey: ["segment-as-opened", id],
    enabled: id !== undefined,
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    queryFn: async ({ signal }) => {
      const { data, response } = await client.GET("/v1/ota/segments/{id}", { params: { path: { id: id! } }, signal });
      return { segment: data as Stored["segment"], etag: response.headers.get("ETag") ?? "*" };
    },
  });
}
