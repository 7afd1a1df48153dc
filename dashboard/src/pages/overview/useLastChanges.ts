import { useApi } from "@/api/project";

/** The newest entries of the audit log. */
export function useLastChanges() {
  return useApi().useQuery("get", "/v1/ota/audit-log", { params: { query: { limit: 8 } } });
}
