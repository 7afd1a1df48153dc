import { useQuery, type QueryKey } from "@tanstack/react-query";
import { useProject } from "./project";

/** A stored record with its ETag, which saving names. */
export interface Tagged<T> {
  record: T;
  etag: string;
}

type Params = Record<string, string | number>;

/** The key of the query of a record with its ETag. Changes of the stream reach it by the path. */
export const taggedKey = (path: string, params: Params = {}): QueryKey => ["get", path, { params: { path: params } }, "etag"];

/** The ETag of an answer; any when it has none. */
export const etagOf = (response: Response): string => response.headers.get("ETag") ?? "*";

/** A record of the project with its ETag. It follows the stream, as every query of its path. */
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
