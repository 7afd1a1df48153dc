import type { Entry } from "./telling";

interface Page {
  to: string;
  search?: Record<string, string>;
}

/** Pages of single records, by kind. */
const own: Record<string, string> = {
  release: "/$project/releases/$id",
  rollout: "/$project/rollouts/$id",
  policy: "/$project/policies/$id",
  flag: "/$project/flags/$id",
  webhook: "/$project/webhooks/$id",
  approval: "/$project/approvals/$id",
};

/** Pages of lists, by kind of their records. */
const lists: Record<string, string> = {
  segment: "/$project/segments",
  context: "/$project/contexts",
  user_override: "/$project/overrides",
  channel: "/$project/channels",
  branch: "/$project/channels",
  api_key: "/$project/settings/keys",
  incident: "/$project/incidents",
  error_group: "/$project/observe",
};

/** The parameter with the search of a list, by kind of its records. */
const searched: Record<string, string> = {
  error_group: "search",
  segment: "search",
  context: "search",
  user_override: "search",
  channel: "search",
  branch: "branch",
};

/** Returns the page that shows a record, or null if the record does not exist any more or has no page. */
export function pageOf({ kind, exists, name }: Entry["subject"]): Page | null {
  if (!exists) return null;
  const page = own[kind] ?? lists[kind];
  if (page === undefined) return null;
  const param = searched[kind];
  return param === undefined ? { to: page } : { to: page, search: { [param]: name } };
}
