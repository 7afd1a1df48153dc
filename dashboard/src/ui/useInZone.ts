import { zoneName } from "@/format/inputTime";
import { usePreferences } from "@/format/preferences";

/** Returns a function that adds the zone in which times are entered to a label: "Expires (UTC)". */
export function useInZone(): (label: string) => string {
  usePreferences();
  const zone = zoneName();
  return (label) => `${label} (${zone})`;
}
