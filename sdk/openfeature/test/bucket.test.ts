import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bucket, buckets, threshold } from '../src/bucket.js';
import type { FlagDefinition } from '../src/definitions.js';
import { compileFlag, type Outcome } from '../src/flag.js';
import { contextWith, flag } from './fixture.js';

/** The test vectors that all implementations share. */
const vectors = JSON.parse(readFileSync(new URL('../../../docs/bucket-vectors.json', import.meta.url), 'utf8')) as {
  buckets: { salt: string; id: string; bucket: number }[];
  shares: { salt: string; id: string; percentage: number; inShare: boolean }[];
  thresholds: { percentage: number; threshold: number }[];
  splits: { flagKey: string; id: string; weights: number[]; entry: number | null }[];
};

test('buckets', () => {
  for (const v of vectors.buckets) expect(bucket(v.salt, v.id), `${v.salt}:${v.id}`).toBe(v.bucket);
  for (const v of vectors.thresholds) expect(threshold(v.percentage), String(v.percentage)).toBe(v.threshold);
});

test('shares', () => {
  for (const { salt, id, percentage, inShare } of vectors.shares) {
    const share = threshold(percentage);
    expect(share === buckets || (id !== '' && bucket(salt, id) < share), `${salt}:${id} ${percentage}`).toBe(inShare);
  }
});

test('splits', () => {
  for (const { flagKey, id, weights, entry } of vectors.splits) {
    const rollout = weights.map((weight, variantValue) => ({ weight, variantValue }));
    const split = compileFlag(flag({
      key: flagKey, flagType: 'number', defaultValue: -1, rules: [{ ruleType: 'percentage_rollout', variantValue: null, ruleConfig: { rollout } }],
    }));
    expect(split.evaluate(contextWith({}, { targetingKey: id })).value, `${flagKey} ${id} ${weights.join()}`).toBe(entry ?? -1);
  }
});

test('splits with conditions', () => {
  const { flags, evaluations } = JSON.parse(readFileSync(new URL('../../../docs/split-vectors.json', import.meta.url), 'utf8')) as {
    flags: FlagDefinition[];
    evaluations: { context: { targetingKey: string; attributes: Record<string, unknown> }; flags: Record<string, Outcome> }[];
  };
  const compiled = flags.map((d) => ({ key: d.key, flag: compileFlag(d) }));
  for (const { context: { targetingKey, attributes }, flags: expected } of evaluations) {
    const context = contextWith(attributes, { targetingKey, channel: 'production' });
    const results = Object.fromEntries(compiled.map(({ key, flag }) => [key, flag.evaluate(context)]));
    expect(results, `${targetingKey} ${JSON.stringify(attributes)}`).toEqual(expected);
  }
});
