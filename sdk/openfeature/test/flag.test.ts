import { expect, test } from 'vitest';
import type { RuleDefinition, UpdateDefinition } from '../src/definitions.js';
import { compileFlag } from '../src/flag.js';
import { FlagSet } from '../src/flagset.js';
import { contextWith, flag } from './fixture.js';

const release: UpdateDefinition = { updateUuid: 'b2', branch: 'main', runtimeVersion: '1.2', createdAt: '2026-03-14T12:00:00.000Z', aliasOf: 'a1' };
const noon = Date.parse(release.createdAt);

test('a release override comes before all else, the default last', () => {
  const on: RuleDefinition = { ruleType: 'user_list', variantValue: true, ruleConfig: { userIds: 'ada,bob' } };
  const f = compileFlag(flag({ rules: [on], releaseOverrides: [{ updateUuid: 'a1', value: false }] }));
  expect(f.evaluate(contextWith({}, { targetingKey: 'bob' }))).toEqual({ value: true, variant: 'On', reason: 'TARGETING_MATCH' });
  expect(f.evaluate(contextWith({}, { targetingKey: 'bob', updateUuid: 'b2', update: release })).reason).toBe('RELEASE_OVERRIDE');
  expect(f.evaluate(contextWith({}, { targetingKey: '' }))).toEqual({ value: false, variant: 'Off', reason: 'DEFAULT' });
  const off = compileFlag(flag({ enabled: false, rules: [on] }));
  expect(off.evaluate(contextWith({}, { targetingKey: 'bob' })).reason).toBe('DISABLED');
});

test.each<[RuleDefinition['ruleConfig'], boolean]>([
  [{ branch: 'main', updateUuid: 'B2', updatedWithinDays: 2, runtimeVersion: { operator: 'gte', value: '1.2' } }, true],
  [{ updateUuid: 'a1' }, true],
  [{ updateUuid: 'c3' }, false],
  [{ branch: 'next' }, false],
  [{ updatedWithinDays: 1.5 }, true],
  [{ updatedWithinDays: 1.4 }, false],
  [{ runtimeVersion: { operator: 'lt', value: '1.2.0' } }, false],
  [{ runtimeVersion: { operator: 'eq', value: '1.2.0' } }, true],
])('an ota_update rule %j', (ruleConfig, holds) => {
  const rule = { ruleType: 'ota_update', variantValue: true, ruleConfig } as RuleDefinition;
  const running = contextWith({}, { updateUuid: 'b2', update: release, runtimeVersion: '9', now: noon + 36 * 3_600_000 });
  expect(compileFlag(flag({ rules: [rule] })).evaluate(running).reason).toBe(holds ? 'TARGETING_MATCH' : 'DEFAULT');
});

test('equal JSON is one variation, whatever the order of its members', () => {
  const f = compileFlag(flag({
    flagType: 'json', defaultValue: { a: [1, null], b: 'x' }, variations: [{ name: 'V', value: { b: 'x', a: [1, null] } }],
  }));
  const { value, variant } = f.evaluate(contextWith({}));
  expect(variant).toBe('V');
  expect(Object.isFrozen(value) && Object.isFrozen((value as { a: unknown }).a)).toBe(true);
  for (const other of [{ a: [1, null] }, { a: [null, 1], b: 'x' }, { a: { 0: 1, 1: null }, b: 'x' }, { a: [1, null], c: 'x' }]) {
    const another = compileFlag(flag({ flagType: 'json', defaultValue: other, variations: [{ name: 'V', value: { b: 'x', a: [1, null] } }] }));
    expect(another.evaluate(contextWith({})).variant, JSON.stringify(other)).toBeUndefined();
  }
});

test('an unknown rule never matches', () => {
  const rule = { ruleType: 'of_tomorrow', variantValue: true, ruleConfig: {} } as unknown as RuleDefinition;
  const split = { ruleType: 'split', ruleConfig: { when: rule, rollout: [{ variantValue: true, weight: 100 }] } } as RuleDefinition;
  for (const r of [rule, split]) expect(compileFlag(flag({ rules: [r] })).evaluate(contextWith({})).reason).toBe('DEFAULT');
});

test('what changed', () => {
  const old = { ruleType: 'ota_update', variantValue: true, ruleConfig: { updatedWithinDays: 7 } } as const;
  const base = { disabledFlags: [], updates: [], version: '1' };
  const before = new FlagSet({ ...base, flags: [flag({ key: 'a' }), flag({ key: 'b' }), flag({ key: 'old', rules: [old] })] });
  const off = { key: 'b', flagType: 'boolean', defaultValue: false } as const;
  const after = new FlagSet({
    ...base, version: '2', flags: [flag({ key: 'a' }), flag({ key: 'c' }), flag({ key: 'old', rules: [old] })], disabledFlags: [off], updates: [release],
  });
  expect(after.changedSince(before)).toEqual(['b', 'old', 'c']);
});
