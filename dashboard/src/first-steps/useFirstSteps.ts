import { useState } from "react";
import type { Stream } from "@/api/overview";
import { useApi, useProject } from "@/api/project";

const hiddenKey = (slug: string) => `waft-first-steps-hidden ${slug}`;

/**
 * Reports whether to show the first steps: until a device has reported, or the person hides them in this browser. Sends a request only
 * while the overview does not show a device, because then devices may have reported earlier than it looks back.
 */
export function useFirstSteps(rows: Stream[] | undefined) {
  const { slug } = useProject();
  const [isHidden, setHidden] = useState(() => localStorage.getItem(hiddenKey(slug)) !== null);
  const isQuiet = rows !== undefined && rows.every((row) => row.devices === 0);
  const devices = useApi().useQuery("get", "/v1/ota/devices", { params: { query: { limit: 1 } } }, { enabled: isQuiet && !isHidden });
  const asks = isQuiet && !isHidden;
  return {
    /** True once it is known whether the steps are shown. */
    isSettled: !asks || devices.data !== undefined || devices.error !== null,
    isShown: isQuiet && !isHidden && devices.data?.length === 0,
    hide: () => {
      localStorage.setItem(hiddenKey(slug), "1");
      setHidden(true);
    },
  };
}
