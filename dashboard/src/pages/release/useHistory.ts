import { useApi } from "@/api/project";

const most = 50;

/** Queries the newest actions of people and Waft on the release, oldest first. */
export function useHistory(id: number) {
  return useApi().useQuery(
    "get",
    "/v1/ota/updates/{id}/history",
    { params: { path: { id }, query: { limit: most, sort: "-createdAt" } } },
    { select: (entries) => entries.toReversed() },
  );
}
