import { zoneName } from "@/format/inputTime";
import { usePreferences } from "@/format/preferences";

/** Labels of times, with the zone that they are typed in: "Expires (UTC)". */
export function useInZone(): (label: string) => string {
  usePreferences();
  const zone = zoneName();
  return (label) => `${label} (${zone})`;
}
