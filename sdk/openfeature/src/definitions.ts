/** The flags of a channel, as `GET /v1/ota/flag-definitions/{projectSlug}` has them. Values are typed. */
export interface Definitions {
  flags: FlagDefinition[];
  disabledFlags: DisabledFlag[];
  updates: UpdateDefinition[];
  version: string;
}

/** Any JSON. */
export type Json = null | boolean | string | number | Json[] | { [name: string]: Json };

export type FlagType = 'boolean' | 'string' | 'number' | 'json';

/** A flag that is on for the channel, or that a release overrides. */
export interface FlagDefinition {
  key: string;
  flagType: FlagType;
  defaultValue: Json;
  enabled: boolean;
  variations: { name: string; value: Json }[];
  rules: RuleDefinition[];
  releaseOverrides: { updateUuid: string; value: Json }[];
}

/** A flag that is off for the channel. */
export interface DisabledFlag {
  key: string;
  flagType: FlagType;
  defaultValue: Json;
  /** The name of the variation that has the value. */
  variant?: string;
}

/** A release that a device may run. */
export interface UpdateDefinition {
  updateUuid: string;
  branch: string;
  runtimeVersion: string;
  createdAt: string;
  /** The release's own id, when updateUuid is an alias. */
  aliasOf?: string;
}

export interface ConditionDefinition {
  attribute: string;
  operator: string;
  values: string[];
}

/** A rule in the order of evaluation. A type that is not one of these never matches. */
export type RuleDefinition = { variantValue: Json } & (
  | { ruleType: 'user_list'; ruleConfig: { userIds: string } }
  | { ruleType: 'percentage_rollout'; ruleConfig: { rollout: { variantValue: Json; weight: number }[]; bucketBy?: string } }
  | { ruleType: 'attribute'; ruleConfig: { conditions: ConditionDefinition[] } }
  | { ruleType: 'segment'; ruleConfig: { matchType: 'any' | 'all'; conditions: ConditionDefinition[] } }
  | { ruleType: 'ota_update'; ruleConfig: UpdateCondition }
);

/** What is set must hold. */
export interface UpdateCondition {
  runtimeVersion?: { operator: string; value: string };
  branch?: string;
  updatedWithinDays?: number;
  updateUuid?: string;
}
