import { linkOptions } from "@tanstack/react-router";
import type { Entry } from "./telling";

interface Page {
  to: string;
  params: object;
  search?: object;
}

type Subject = Entry["subject"];

/** The page of a record, or the list with the record, by kind. */
const pages: Record<string, (project: string, subject: Subject) => Page> = {
  release: (project, { id }) => linkOptions({ to: "/$project/releases/$id", params: { project, id } }),
  rollout: (project, { id }) => linkOptions({ to: "/$project/rollouts/$id", params: { project, id } }),
  policy: (project, { id }) => linkOptions({ to: "/$project/policies/$id", params: { project, id } }),
  flag: (project, { id }) => linkOptions({ to: "/$project/flags/$id", params: { project, id } }),
  webhook: (project, { id }) => linkOptions({ to: "/$project/webhooks/$id", params: { project, id } }),
  approval: (project, { id }) => linkOptions({ to: "/$project/approvals/$id", params: { project, id } }),
  segment: (project, { name }) => linkOptions({ to: "/$project/segments", params: { project }, search: { search: name } }),
  context: (project, { name }) => linkOptions({ to: "/$project/contexts", params: { project }, search: { search: name } }),
  user_override: (project, { name }) => linkOptions({ to: "/$project/overrides", params: { project }, search: { search: name } }),
  channel: (project, { name }) => linkOptions({ to: "/$project/channels", params: { project }, search: { search: name } }),
  branch: (project, { name }) => linkOptions({ to: "/$project/channels", params: { project }, search: { branch: name } }),
  error_group: (project, { name }) => linkOptions({ to: "/$project/observe", params: { project }, search: { search: name } }),
  api_key: (project) => linkOptions({ to: "/$project/settings/keys", params: { project } }),
  incident: (project) => linkOptions({ to: "/$project/incidents", params: { project } }),
};

/** Returns the link to the page that shows a record, or null if the record does not exist any more or has no page. */
export function pageOf(subject: Subject, project: string): Page | null {
  return subject.exists ? (pages[subject.kind]?.(project, subject) ?? null) : null;
}
