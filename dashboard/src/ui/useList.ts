import { usePages, type ListFilter } from "@/api/pages";
import { useParameter } from "./useParameter";

/** The search and the order of a list on the server, which Table shows and changes. */
export interface ServerList {
  search: string;
  onSearch: (text: string) => void;
  /** A field of the record, with a leading `-` for descending order, or "" for the server's order. */
  sort: string;
  onSort: (sort: string) => void;
  /** The number of rows on all pages, or undefined if it is unknown. */
  total: number | undefined;
}

interface Options {
  /** The order while none is chosen. */
  sort?: string;
  /** The address parameters for the search and the order, for a page with two lists. */
  searchParam?: string;
  sortParam?: string;
}

/**
 * Queries a list that the server searches, sorts, counts and pages. The search and the order are in the address. The result can be
 * passed to Panel and ListPage as their query, and its `list` to Table. A search shows the best matches first, unless the person
 * chooses an order.
 */
export function useList<T>(path: string, filter: ListFilter = {}, options: Options = {}) {
  const { sort: initial = "", searchParam = "search", sortParam = "sort" } = options;
  const [search, onSearch] = useParameter(searchParam);
  const [chosen, choose] = useParameter(sortParam);
  const sort = chosen || (search.trim() ? "" : initial);
  const query = usePages<T>(path, { ...filter, search: search.trim() || undefined, sort: sort || undefined, count: true });
  const list: ServerList = {
    search,
    onSearch,
    sort,
    onSort: choose,
    total: query.total,
  };
  return { ...query, list };
}
