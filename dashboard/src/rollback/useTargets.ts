import { keepPreviousData } from "@tanstack/react-query";
import { useApi } from "@/api/project";
import { otherOf, type Release } from "./target";

const shown = 20;

/** Returns the query for the releases of the same target as `release`. */
function ofTarget({ branchName, platform, runtimeVersion }: Release, isEnabled: boolean) {
  return { branch: branchName, platform, runtimeVersion, kind: "update" as const, isEnabled: isEnabled ? ("true" as const) : ("false" as const) };
}

/** Queries the newest enabled release before `release` that would change the app, as a copy of it would not. */
export function useOtherFiles(release: Release, enabled: boolean) {
  const query = { ...ofTarget(release, true), before: release.id, otherFilesThan: release.id, limit: 1 };
  return useApi().useQuery("get", "/v1/ota/updates", { params: { query } }, { enabled });
}

/** Queries the releases before `release` on its branch that match a search, newest first. They are turned on or off, as requested. */
export function useEarlier(release: Release, search: string, isEnabled: boolean) {
  const query = {
    ...ofTarget(release, isEnabled),
    limit: shown,
    // A search has its own order, so it does not page by ID.
    ...(search ? { search } : { before: release.id }),
  };
  const found = useApi().useQuery("get", "/v1/ota/updates", { params: { query } }, { placeholderData: keepPreviousData });
  return { ...found, data: found.data?.filter((each) => each.id < release.id), isCut: found.data?.length === shown };
}

/** Queries the release of the same publish on the other platform: null for none, undefined while it is loaded. */
export function useOther(release: Release | null) {
  const group = useApi().useQuery("get", "/v1/ota/updates", { params: { query: { groupId: release?.groupId } } }, { enabled: release !== null });
  return { ...group, other: release === null ? null : group.data && otherOf(release, group.data) };
}
