import { useMemo } from "react";
import { useApi } from "@/api/project";
import { isOneChange, oneTelling } from "@/format/oneTelling";

const shown = 8;

/** The newest changes of the audit log, each told once. An emergency stop alone has an entry for every channel. */
export function useLastChanges() {
  const log = useApi().useQuery("get", "/v1/ota/audit-log", { params: { query: { limit: 50 } } });
  const data = useMemo(() => log.data && oneTelling(log.data, isOneChange).slice(0, shown), [log.data]);
  return { ...log, data };
}
