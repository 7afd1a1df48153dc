import { releaseName, type NamedRelease } from "@/format/releaseName";
import { strings } from "@/strings";
import type { Schemas } from "./client";
import { useApi } from "./project";

export type Release = Schemas["Update"];

/**
 * Returns the name of the release with the update ID. It asks the server for this release alone, however many are newer. A deleted
 * release has the name in `known`, which a record of telemetry may contain.
 */
export function useNameOfUpdate(updateUuid: string, known?: NamedRelease | null): string {
  const query = useApi().useQuery("get", "/v1/ota/updates", { params: { query: { search: updateUuid, limit: 1 } } }, { enabled: updateUuid !== "" });
  const release = query.data?.find((each) => each.updateUuid === updateUuid);
  if (release ?? known) return releaseName((release ?? known)!);
  return query.isLoading ? strings.panel.loading : updateUuid.slice(0, 8);
}
