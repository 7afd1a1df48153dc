import type { Schemas } from "@/api/client";
import { inputChanges, namesIn, type Change } from "@/audit/changes";
import type { Flag } from "@/pages/flag/draft";

export type Asked = Pick<Schemas["Approval"], "action" | "input">;

/** The page of the record that a call changes, and the field of the call's input with the record's ID. */
const pages: Record<string, [to: string, id: string]> = {
  "channel.delete": ["/$project/channels", "channel"],
  "channel.update": ["/$project/channels", "channel"],
  "env_setting.update": ["/$project/flags/$id", "flagId"],
  "flag.copy": ["/$project/flags/$id", "id"],
  "flag.create": ["/$project/flags", "key"],
  "flag.delete": ["/$project/flags/$id", "id"],
  "flag.save": ["/$project/flags/$id", "id"],
  "flag.schedule": ["/$project/flags/$id", "id"],
  "flag.update": ["/$project/flags/$id", "id"],
  "project.resume": ["/$project/overview", ""],
  "rollout.advance": ["/$project/rollouts/$id", "id"],
  "rollout.resume": ["/$project/rollouts/$id", "id"],
  "rollout.start": ["/$project/releases/$id", "updateId"],
  "rule.create": ["/$project/flags/$id", "id"],
  "rule.delete": ["/$project/flags/$id", "flagId"],
  "rule.order": ["/$project/flags/$id", "id"],
  "rule.update": ["/$project/flags/$id", "flagId"],
  "segment.update": ["/$project/segments", "id"],
  "update.delete": ["/$project/releases/$id", "id"],
  "update.patch": ["/$project/releases/$id", "id"],
  "update.publish": ["/$project/releases", "buildId"],
  "update.republish": ["/$project/releases/$id", "id"],
  "update.rollback": ["/$project/overview", "channel"],
  "user_override.create": ["/$project/overrides", "userId"],
  "user_override.delete": ["/$project/overrides", "id"],
  "variation.update": ["/$project/flags/$id", "flagId"],
};

/** The actions of calls that may have to wait for approval. */
export const actions = Object.keys(pages);

/** Returns the page of the record that a call changes, or null for an unknown call. */
export function pageOfCall({ action, input }: Asked): { to: string; id: string } | null {
  const page = pages[action];
  if (page === undefined) return null;
  const [to, field] = page;
  return { to, id: String(input?.[field] ?? "") };
}

/** Calls that name values of a flag without the names of its variations. */
const partsOfFlags = new Set(["env_setting.update", "flag.update", "rule.create", "rule.update"]);

/** Returns the ID of the flag whose variations name the values that a call sets, or null if the call has the names itself. */
export function flagOfValues(asked: Asked): number | null {
  return partsOfFlags.has(asked.action) ? Number(pageOfCall(asked)?.id) : null;
}

/**
 * Returns the values that a call sets, in words. A scheduled change sets its time, and the values of the call that it makes later.
 * known are the variations of the flag before the call.
 */
export function asks({ input }: Asked, known: Flag["variations"] = []): Change[] {
  const { change, ...own } = (input ?? {}) as Record<string, unknown>;
  const { body, ...changed } = (change ?? {}) as Record<string, unknown>;
  return inputChanges({ ...own, ...changed, ...(body as object | undefined) }, namesIn(known));
}
