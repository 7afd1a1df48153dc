import { useQuery, type QueryKey } from "@tanstack/react-query";
import { useProject } from "./project";

/** A stored record with its ETag. Saving sends the ETag as If-Match. */
export interface Tagged<T> {
  record: T;
  etag: string;
}

type Params = Record<string, string | number>;

/** Returns the query key for a record with its ETag. The path in the key lets events of the stream refetch it. */
export const taggedKey = (path: string, params: Params = {}): QueryKey => ["get", path, { params: { path: params } }, "etag"];

/** Returns the ETag of a response, or "*" if it has none. */
export const etagOf = (response: Response): string => response.headers.get("ETag") ?? "*";

/** Queries a record of the project with its ETag. It follows the event stream, as every query for its path does. */
export function useTagged<T>(path: string, params: Params = {}) {
  const { client } = useProject();
  return useQuery<Tagged<T>>({
    queryKey: taggedKey(path, params),
    queryFn: async ({ signal }) => {
      const get = client.GET as (path: string, options: object) => Promise<{ data?: T; response: Response }>;
      const { data, response } = await get(path, { params: { path: params }, signal });
      return { record: data as T, etag: etagOf(response) };
    },
  });
}
