import { useApi } from "@/api/project";

const builtIn = ["targetingKey", "deviceId", "channel", "platform", "runtimeVersion", "updateUuid", "ota.branch", "ota.runtime_version", "ota.updated_within_days"];
const known: Record<string, string[]> = { platform: ["ios", "android"] };

/** Returns the attributes that conditions can name, and the values of each: the built-in attributes, and the attributes that contexts have reported. */
export function useSuggestions(): { attributes: string[]; valuesOf: (attribute: string) => string[] } {
  const { data } = useApi().useQuery("get", "/v1/ota/contexts/attributes", {});
  return {
    attributes: [...new Set([...builtIn, ...(data ?? []).map(({ name }) => name)])],
    valuesOf: (attribute) => {
      const reported = data?.find(({ name }) => name === attribute)?.values ?? [];
      return [...new Set([...(known[attribute] ?? []), ...reported.map(String)])];
    },
  };
}
