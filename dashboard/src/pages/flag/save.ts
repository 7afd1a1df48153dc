import { isPending } from "@/api/change";
import type { ApiClient, Schemas } from "@/api/client";
import { isChangedRule, needsOrder } from "./diff";
import { ruleBody, type Draft, type RuleDraft } from "./draft";

/** The result of saving. */
export interface Saved {
  /** The draft with the IDs of newly stored rules. */
  draft: Draft;
  /** The number of calls that wait for approval. */
  waiting: number;
  /** Why saving stopped, or null if everything was saved. */
  error: unknown;
}

/**
 * Stores the differences between `before` and `draft`. The first call sends the ETag of the flag that the draft is based on, so
 * that saving changes nothing if someone else has changed the flag. If a later call fails, earlier changes stay stored, and the
 * returned draft has the IDs of their rules.
 */
export async function save(client: ApiClient, flagId: number, etag: string, before: Draft, draft: Draft): Promise<Saved> {
  let rules = draft.rules;
  let waiting = 0;
  const path = { id: flagId };
  const note = (data: unknown) => {
    if (isPending(data)) waiting++;
    return isPending(data);
  };
  try {
    const first = flagBody(before, draft, false);
    const { data } = await client.PATCH("/v1/ota/flags/{id}", { params: { path, header: { "If-Match": etag } }, body: first });
    note(data);
    for (const rule of before.rules) {
      if (draft.rules.some((each) => each.key === rule.key)) continue;
      const { data } = await client.DELETE("/v1/ota/flags/{id}/rules/{ruleId}", { params: { path: { id: flagId, ruleId: rule.id! } } });
      note(data);
    }
    let isComplete = waiting === 0;
    for (const rule of draft.rules) {
      if (rule.id !== null) {
        const old = before.rules.find((each) => each.key === rule.key);
        if (!old || !isChangedRule(old, rule)) continue;
        const { data } = await client.PATCH("/v1/ota/flags/{id}/rules/{ruleId}", {
          params: { path: { id: flagId, ruleId: rule.id } },
          body: patchOf(old, rule) as Schemas["PatchRuleBody"],
        });
        note(data);
        continue;
      }
      const body = ruleBody(rule);
      const { data } = await client.POST("/v1/ota/flags/{id}/rules", {
        params: { path, header: { "Idempotency-Key": crypto.randomUUID() } },
        body: { ...body, channelName: body.channelName ?? undefined, variantValue: body.variantValue ?? undefined },
      });
      if (note(data)) isComplete = false;
      else rules = rules.map((each) => (each.key === rule.key ? { ...each, id: (data as Schemas["FlagRule"]).id } : each));
    }
    // A rule that waits for approval has no ID yet, so the order cannot include it.
    if (isComplete && needsOrder(before, draft)) {
      const { data } = await client.PUT("/v1/ota/flags/{id}/rules/order", { params: { path }, body: { ruleIds: rules.map((rule) => rule.id!) } });
      note(data);
    }
    for (const { channelName, ...environment } of draft.environments) {
      const old = before.environments.find((each) => each.channelName === channelName);
      const body = {
        ...(old?.enabled !== environment.enabled && { enabled: environment.enabled }),
        ...(old?.defaultValue !== environment.defaultValue && { defaultValue: environment.defaultValue }),
      };
      if (Object.keys(body).length === 0) continue;
      const { data } = await client.PATCH("/v1/ota/flags/{id}/env/{channelName}", {
        params: { path: { id: flagId, channelName } },
        body: body as Schemas["PatchEnvironmentBody"],
      });
      note(data);
    }
    if (before.variations.some(({ key }) => !draft.variations.some((each) => each.key === key))) {
      const { data } = await client.PATCH("/v1/ota/flags/{id}", { params: { path }, body: flagBody(before, draft, true) });
      note(data);
    }
    return { draft: { ...draft, rules }, waiting, error: null };
  } catch (error) {
    return { draft: { ...draft, rules }, waiting, error };
  }
}

/** Returns the flag's own fields that differ. Removed variations stay until the `last` call, because rules may still use them. */
export function flagBody(before: Draft, draft: Draft, last: boolean): Schemas["PatchFlagBody"] {
  const kept = before.variations.filter(({ key }) => !draft.variations.some((each) => each.key === key));
  const variations = [...draft.variations, ...(last ? [] : kept)];
  const body: Record<string, unknown> = {};
  if (draft.name !== before.name) body.name = draft.name;
  if (draft.description !== before.description) body.description = draft.description;
  if (draft.enabled !== before.enabled) body.enabled = draft.enabled;
  if (draft.defaultValue !== before.defaultValue) body.defaultValue = draft.defaultValue;
  if (last || JSON.stringify(variations) !== JSON.stringify(before.variations)) {
    body.variations = variations.map(({ id, name, value }) => ({ ...(id !== null && { id }), name: name.trim() || value.slice(0, 60), value }));
  }
  return body;
}

function patchOf(before: RuleDraft, after: RuleDraft): Record<string, unknown> {
  const from = ruleBody(before) as unknown as Record<string, unknown>;
  const to = ruleBody(after) as unknown as Record<string, unknown>;
  const names = Object.keys(to).filter((name) => JSON.stringify(from[name]) !== JSON.stringify(to[name]));
  if (names.includes("ruleType") && !names.includes("ruleConfig")) names.push("ruleConfig");
  return Object.fromEntries(names.map((name) => [name, to[name]]));
}
