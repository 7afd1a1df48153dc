import { useMemo } from "react";
import { useApi } from "@/api/project";
import { oneTelling } from "@/format/oneTelling";

const shown = 8;

/** Queries the newest changes of the audit log, one entry per change. An emergency stop, for example, logs an entry per channel. */
export function useLastChanges() {
  const log = useApi().useQuery("get", "/v1/ota/audit-log", { params: { query: { limit: 50 } } });
  const data = useMemo(() => log.data && oneTelling(log.data).slice(0, shown), [log.data]);
  return { ...log, data };
}
