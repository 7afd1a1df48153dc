import type { Schemas } from "@/api/client";
import { ruleBody, type Draft } from "./draft";

export type SaveFlagBody = Schemas["SaveFlagBody"];

/** Returns the whole flag in the API's format. A channel that follows the flag in both settings is left out. */
export function flagBody(draft: Draft): SaveFlagBody {
  return {
    name: draft.name,
    description: draft.description,
    enabled: draft.enabled,
    defaultValue: draft.defaultValue,
    variations: draft.variations.map(({ id, name, value }) => ({ ...(id !== null && { id }), name: name.trim() || value.slice(0, 60), value })),
    rules: draft.rules.map((rule) => {
      const { ruleType, ruleConfig, channelName, variantValue } = ruleBody(rule);
      return {
        ...(rule.id !== null && { id: rule.id }),
        ruleType,
        ruleConfig,
        ...(channelName !== null && { channelName }),
        ...(variantValue !== null && { variantValue }),
      };
    }),
    environments: draft.environments
      .filter(({ enabled, defaultValue }) => enabled !== null || defaultValue !== null)
      .map(({ channelName, enabled, defaultValue }) => ({ channelName, ...(enabled !== null && { enabled }), ...(defaultValue !== null && { defaultValue }) })),
  };
}
