/** The flags of a channel, as `GET /v1/ota/flag-definitions/{projectSlug}` returns them. Values are typed. */
export interface Definitions {
  flags: FlagDefinition[];
  disabledFlags: DisabledFlag[];
  updates: UpdateDefinition[];
  version: string;
}

/** Any JSON value. */
export type Json = null | boolean | string | number | Json[] | { [name: string]: Json };

export type FlagType = 'boolean' | 'string' | 'number' | 'json';

/** A flag that is on in the channel, or that a release overrides. */
export interface FlagDefinition {
  key: string;
  flagType: FlagType;
  defaultValue: Json;
  enabled: boolean;
  variations: { name: string; value: Json }[];
  rules: RuleDefinition[];
  releaseOverrides: { updateUuid: string; value: Json }[];
}

/** A flag that is off in the channel. */
export interface DisabledFlag {
  key: string;
  flagType: FlagType;
  defaultValue: Json;
  /** The name of the variation with the default value. */
  variant?: string;
}

/** A release that a device may run. */
export interface UpdateDefinition {
  updateUuid: string;
  branch: string;
  runtimeVersion: string;
  createdAt: string;
  /** The release's own update ID, if updateUuid is an alias. */
  aliasOf?: string;
}

export interface ConditionDefinition {
  attribute: string;
  operator: string;
  values: string[];
}

/** A rule. Rules are in the order of evaluation. A rule of an unknown type never matches. */
export type RuleDefinition =
  | ({ variantValue: Json } & (MatchDefinition | { ruleType: 'percentage_rollout'; ruleConfig: SplitDefinition }))
  | { ruleType: 'split'; ruleConfig: { when: MatchDefinition } & SplitDefinition };

/** The conditions of a rule. */
export type MatchDefinition =
  | { ruleType: 'user_list'; ruleConfig: { userIds: string } }
  | { ruleType: 'attribute'; ruleConfig: { conditions: ConditionDefinition[] } }
  | { ruleType: 'segment'; ruleConfig: { matchType: 'any' | 'all'; conditions: ConditionDefinition[] } }
  | { ruleType: 'ota_update'; ruleConfig: UpdateCondition };

/** The shares of a rule. Weights are percentages of the contexts that match the rule. */
export interface SplitDefinition {
  rollout: { variantValue: Json; weight: number }[];
  bucketBy?: string;
}

/** A condition on the running release. All fields that are set must match. */
export interface UpdateCondition {
  runtimeVersion?: { operator: string; value: string };
  branch?: string;
  updatedWithinDays?: number;
  updateUuid?: string;
}
