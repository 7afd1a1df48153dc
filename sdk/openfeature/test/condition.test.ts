import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compileCondition } from '../src/condition.js';
import { contextWith } from './fixture.js';

/** For each operator: the values of a condition, attributes for which it holds, and attributes for which it does not. */
const rows: [operator: string, values: string[], holds: unknown[], not: unknown[]][] = [
  ['eq', ['ios', '42', 'true', 'größe', '1e2'],
    ['ios', '42', 42, 4.2e1, 100, true, 'true', 'größe', ['web', 'ios'], [null, 42]],
    ['iOS', '', '42.0', '100', 41, false, 'gro\u0308ße', [], ['web'], [['ios']], [{ ios: 1 }], { ios: true }]],
  ['neq', ['ios', '42'], ['android', '', 41, true, '42.0', ['ios', 'web'], [1]], ['ios', 42, ['ios'], ['ios', 42], [], {}, [null], [['web']]]],
  ['in', ['a', 'b'], ['a', 'b', ['c', 'b']], ['c', 'a,b', ['c'], 1]],
  ['not_in', ['a', 'b'], ['c', ['a', 'c'], 1], ['a', ['a', 'b'], [], {}]],
  ['contains', ['eta', 'x', '🚀', '.'], ['beta', 'xy', 'go 🚀', ['no', 'beta'], 1.5], ['alpha', '', 12, true]],
  ['not_contains', ['eta', 'x'], ['alpha', '', 7, ['beta', 'alpha']], ['beta', ['beta'], {}, []]],
  ['starts_with', ['1.', 'v', 'tr', '1e+2', '-2.5'], ['1.2', 'v7', 1.5, true, 1e21, -2.5], ['2.1.', 1, '', {}]],
  ['ends_with', ['-beta', '5'], ['1-beta', 25, ['a', 'b-beta']], ['1-beta1', ['-beta-']]],
  ['gt', ['10'], [10.5, '10.5', 9e9, '9e9', [1, 11]], [10, '10', 9, 'ten', '', true, '0x99', 'inf', ' 11', '1_1', '+11', '011', '1e999', NaN, [], {}]],
  ['gte', ['10'], [10, '1e1'], [9, '9.999']],
  ['lt', ['-1.5'], [-2, '-1e3'], [-1.5, 'x', '', null]],
  ['lte', ['10'], [9, 10, -1, '-0'], [10.1, false]],
  ['before', ['2026-01-01T00:00:00Z'],
    ['2025-12-31T23:59:59Z', '2026-01-01T00:30:00+01:00', '2025-12-31T23:59:59.999Z', '2025-12-31T23:59:59.9999999999Z', '0000-01-01T00:00:00Z',
      new Date('2025-12-31T00:00:00Z')],
    ['2026-01-01T00:00:00Z', '2026-01-01T01:00:00+01:00', 'soon', '2025-12-31', 0, '0', '2025-12-31 23:59:59Z', true, '2025-02-30T00:00:00Z',
      '2025-12-30T24:00:00Z', '2025-12-31T23:59:60Z', '2025-12-31T23:59:59', '2025-12-31t23:59:59z', new Date(NaN)]],
  ['after', ['2026-01-01T00:00:00.000000001Z'],
    ['2026-01-01T00:00:01Z', '2026-01-01T00:00:00.000000002Z', ['2020-01-01T00:00:00Z', '2027-01-01T00:00:00Z']],
    ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.0000000019Z', '2027', 1900000000000, {}]],
  ['matches', ['^1\\.', 'b$', '^.$', '['], ['1.9', 'ab', 1.5, '🚀', ['x1', 'ab']], ['21.', '\n', '\u2028', '', {}]],
  ['exists', [], ['', 'x', 0, false, [], {}, [null]], [null, undefined]],
  ['not_exists', [], [null, undefined, NaN], ['', 0, false, [], {}]],
  ['semver_eq', ['1.2'], ['1.2.0', 'v1.2', '1.2.0+7', 1.2, '01.2'], ['1.2.1', '1.2.0-rc', 'x', '', '1.2.0.0', true, '1.2.', 'V1.2']],
  ['semver_neq', ['1.2', '1.3'], ['1.2.1', 2, ['1.2', '1.4']], ['1.2.0', '1.3.0', 'x', {}, ['1.2'], '1.2.0-01', `1.2.1+${'b'.repeat(256)}`]],
  ['semver_gt', ['1.9.0'], ['1.10.0', '2', '1.9.1-rc', '18446744073709551615'], ['1.9.0', '1.9.0-beta', 'x', '18446744073709551616']],
  ['semver_gte', ['1.9.0'], ['1.9.0', '2', '1.9.0+build'], ['1.8', '1.9.0-beta', 'f00ba7']],
  ['semver_lt', ['1.9.0-rc.2'], ['1.8', '1.9.0-rc.1', '0', '1.9.0-rc', '1.9.0-2', '1.9.0-r'],
    ['1.10', '1.9.0', '1.9.0-rc.10', '1.9.0-rc.2', '1.9.0-rc.2.1', '1.9.0-rc.a', '1.9.0-rc.18446744073709551616']],
  ['semver_lte', ['1.9.0'], ['1.9.0', 'v1'], ['1.9.1', 'x', '99999999999999999999.0.0']],
  ['of_tomorrow', ['x'], [], ['x', 1, null]],
];

test.each(rows)('%s %j', (operator, values, holding, not) => {
  const condition = compileCondition({ attribute: 'a', operator, values });
  for (const a of holding) expect(condition(contextWith({ a })), JSON.stringify(a)).toBe(true);
  for (const a of not) expect(condition(contextWith({ a })), JSON.stringify(a)).toBe(false);
  expect(condition(contextWith({})), 'a missing attribute').toBe(operator === 'not_exists');
});

test('texts that patterns match', () => {
  const vectors = JSON.parse(readFileSync(new URL('../../../docs/match-vectors.json', import.meta.url), 'utf8')) as {
    matches: { pattern: string; text: string; times: number; matches: boolean }[];
  };
  expect(vectors.matches.length).toBeGreaterThan(0);
  for (const { pattern, text, times, matches } of vectors.matches) {
    const condition = compileCondition({ attribute: 'a', operator: 'matches', values: [pattern] });
    const a = text.repeat(times);
    expect(condition(contextWith({ a })), `${pattern} ${text} ${String(times)}`).toBe(matches);
    expect(condition(contextWith({ a: [null, a] })), `${pattern} ${text} ${String(times)}`).toBe(matches);
  }
});

test('attributes are only those that the context has', () => {
  const condition = compileCondition({ attribute: 'constructor', operator: 'exists', values: [] });
  expect(condition(contextWith({}))).toBe(false);
});
