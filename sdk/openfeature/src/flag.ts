import { bucket, buckets, threshold } from './bucket.js';
import { type Condition, compileConditions, fitsOrder } from './condition.js';
import { type Context, attribute, ownUpdate, textOf, updateAge } from './context.js';
import type {
  DisabledFlag, FlagDefinition, FlagType, Json, MatchDefinition, RuleDefinition, SplitDefinition, UpdateCondition,
} from './definitions.js';
import { compareVersions, parseVersion } from './scalar.js';

/** The evaluation reason of a flag. */
export type Reason = 'RELEASE_OVERRIDE' | 'DISABLED' | 'TARGETING_MATCH' | 'SEGMENT_MATCH' | 'SPLIT' | 'DEFAULT';

/** The result of an evaluation. Evaluations with the same result share the object. */
export interface Outcome {
  value: Json;
  /** The name of the variation with the value, if there is one. */
  variant: string | undefined;
  reason: Reason;
}

/** A compiled flag that can be evaluated. */
export interface Flag {
  type: FlagType;
  evaluate(c: Context): Outcome;
}

/** Returns the outcome if the rule matches, otherwise undefined. */
type Rule = (c: Context) => Outcome | undefined;

/** Compiles a flag that is off. */
export function compileDisabled({ flagType: type, defaultValue: value, variant }: DisabledFlag): Flag {
  const off: Outcome = { value: frozen(value), variant, reason: 'DISABLED' };
  return { type, evaluate: () => off };
}

/** Compiles a flag. */
export function compileFlag(d: FlagDefinition): Flag {
  const outcome: OutcomeOf = (value, reason) => {
    const variation = d.variations.find((v) => same(d.flagType, v.value, value));
    return { value: frozen(value), variant: variation?.name, reason };
  };
  const overrides = new Map(d.releaseOverrides.map((o) => [o.updateUuid, outcome(o.value, 'RELEASE_OVERRIDE')]));
  const rules = d.enabled ? d.rules.map((r) => compileRule(d.key, r, outcome)) : [];
  const otherwise = outcome(d.defaultValue, d.enabled ? 'DEFAULT' : 'DISABLED');
  return {
    type: d.flagType,
    evaluate(c) {
      const overridden = overrides.get(ownUpdate(c));
      if (overridden) return overridden;
      for (const match of rules) {
        const matched = match(c);
        if (matched) return matched;
      }
      return otherwise;
    },
  };
}

type OutcomeOf = (value: Json, reason: Reason) => Outcome;

function compileRule(flagKey: string, r: RuleDefinition, outcome: OutcomeOf): Rule {
  switch (r.ruleType) {
    case 'percentage_rollout':
      return compileSplit(flagKey, r.ruleConfig, outcome);
    case 'split': {
      const holds = compileMatch(r.ruleConfig.when);
      const split = compileSplit(flagKey, r.ruleConfig, outcome);
      return (c) => (holds(c) ? split(c) : undefined);
    }
    default: {
      const holds = compileMatch(r);
      const matched = outcome(r.variantValue, r.ruleType === 'segment' ? 'SEGMENT_MATCH' : 'TARGETING_MATCH');
      return (c) => (holds(c) ? matched : undefined);
    }
  }
}

/** Compiles the conditions of a rule. Conditions of an unknown type never hold. */
function compileMatch(r: MatchDefinition): Condition {
  switch (r.ruleType) {
    case 'user_list': {
      const users = new Set(r.ruleConfig.userIds.split(','));
      return (c) => c.targetingKey !== '' && users.has(c.targetingKey);
    }
    case 'attribute':
      return compileConditions(r.ruleConfig.conditions, 'all');
    case 'segment':
      return compileConditions(r.ruleConfig.conditions, r.ruleConfig.matchType);
    case 'ota_update':
      return compileUpdateCondition(r.ruleConfig);
    default:
      return () => false;
  }
}

function compileSplit(flagKey: string, { rollout, bucketBy }: SplitDefinition, outcome: OutcomeOf): Rule {
  let end = 0;
  const shares = rollout.map((share) => {
    end += threshold(share.weight);
    return { end, outcome: outcome(share.variantValue, 'SPLIT') };
  });
  return (c) => {
    const id = bucketBy ? textOf(attribute(c, bucketBy)) : c.targetingKey;
    // A share of 100% includes contexts without an ID.
    if (!id) return shares[0] && shares[0].end >= buckets ? shares[0].outcome : undefined;
    const at = bucket(`flag:${flagKey}`, id);
    return shares.find((share) => at < share.end)?.outcome;
  };
}

function compileUpdateCondition(u: UpdateCondition): Condition {
  const { runtimeVersion, branch, updatedWithinDays } = u;
  const bound = runtimeVersion && parseVersion(runtimeVersion.value);
  const updateUuid = u.updateUuid?.toLowerCase();
  const fitsVersion: Condition = (c) => {
    if (!runtimeVersion) return true;
    const running = textOf(attribute(c, 'ota.runtime_version'));
    if (running === undefined) return false;
    if (runtimeVersion.operator === 'eq' && running === runtimeVersion.value) return true;
    const actual = parseVersion(running);
    return actual !== undefined && bound !== undefined && fitsOrder(runtimeVersion.operator, compareVersions(actual, bound));
  };
  const fitsAge: Condition = (c) => {
    if (updatedWithinDays === undefined) return true;
    const age = updateAge(c);
    return age !== undefined && age <= updatedWithinDays;
  };
  return (c) =>
    fitsVersion(c) &&
    (!branch || branch === c.update?.branch) &&
    (!updateUuid || updateUuid === ownUpdate(c) || updateUuid === c.updateUuid) &&
    fitsAge(c);
}

/** Returns true if two values of a flag are equal. The order of members in JSON objects does not matter. */
function same(type: FlagType, a: Json, b: Json): boolean {
  return type === 'number' ? a === b : equal(a, b);
}

function equal(a: Json | undefined, b: Json | undefined): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Object.is(a, b);
  const names = Object.keys(a);
  return (
    Array.isArray(a) === Array.isArray(b) &&
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && equal(member(a, name), member(b, name)))
  );
}

function member(of: object, name: string): Json | undefined {
  return (of as Record<string, Json>)[name];
}

/** Freezes a value, because evaluations with the same result share it. */
function frozen(value: Json): Json {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}
