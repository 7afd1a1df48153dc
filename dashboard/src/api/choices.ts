import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { strings } from "@/strings";
import { releaseName, releaseNumber } from "@/format/releaseName";
import type { Schemas } from "./client";
import { type ListFilter } from "./pages";
import { useProject } from "./project";

/** The records that a chooser can offer, by the name that Combobox takes. */
export interface Choosable {
  branch: Schemas["Branch"];
  channel: Schemas["Channel"];
  flag: Schemas["Flag"];
  /** A member by their user ID. */
  member: Schemas["Member"];
  policy: Schemas["RolloutPolicy"];
  release: Schemas["Update"];
  segment: Schemas["Segment"];
  /** A release by its update ID. */
  update: Schemas["Update"];
}

export interface Choice<T> {
  value: string;
  label: string;
  /** A second line. */
  hint?: string;
  /** The record, or undefined for a choice that is not a record of this list. */
  record?: T;
}

/** The maximum number of choices that are offered at a time. Typing finds the others. */
const offered = 50;

type Sources = { [Name in keyof Choosable]: { path: string; sort: string; choice: (row: Choosable[Name]) => Choice<Choosable[Name]> } };

const releaseChoice = (value: string, record: Schemas["Update"]) => ({
  value,
  label: releaseName(record),
  hint: [strings.platforms[record.platform], record.channel ?? record.branchName, releaseNumber(record.id)].join(" · "),
  record,
});

const sources: Sources = {
  branch: { path: "/v1/ota/branches", sort: "name", choice: (record) => ({ value: record.name, label: record.name, record }) },
  channel: { path: "/v1/ota/channels", sort: "name", choice: (record) => ({ value: record.name, label: record.name, record }) },
  flag: { path: "/v1/ota/flags", sort: "key", choice: (record) => ({ value: String(record.id), label: record.key, hint: record.name, record }) },
  member: { path: "/v1/ota/members", sort: "name", choice: (record) => ({ value: String(record.userId), label: record.name || record.email, hint: record.email, record }) },
  policy: { path: "/v1/ota/rollout-policies", sort: "name", choice: (record) => ({ value: String(record.id), label: record.name, hint: record.description, record }) },
  release: { path: "/v1/ota/updates", sort: "-createdAt", choice: (record) => releaseChoice(String(record.id), record) },
  segment: { path: "/v1/ota/segments", sort: "name", choice: (record) => ({ value: record.key, label: record.name, hint: record.key, record }) },
  update: { path: "/v1/ota/updates", sort: "-createdAt", choice: (record) => releaseChoice(record.updateUuid, record) },
};

/** Returns the choices that the server finds for a text, and the number of all records that match. Without a text it offers the first ones. */
export function useChoices<Name extends keyof Choosable>(of: Name, search: string, filter: ListFilter, enabled: boolean) {
  const { client } = useProject();
  const { path, sort, choice } = sources[of];
  const asked = { ...filter, search: search.trim() || undefined, sort: search.trim() ? undefined : sort };
  return useQuery({
    queryKey: ["choices", path, asked],
    enabled,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const get = client.GET as (path: string, options: object) => Promise<{ data?: Choosable[Name][]; response: Response }>;
      const { data = [], response } = await get(path, { params: { query: { ...asked, limit: offered, count: true } }, signal });
      return { choices: data.map(choice), total: Number(response.headers.get("X-Total-Count") ?? data.length) };
    },
  });
}
