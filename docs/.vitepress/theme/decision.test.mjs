import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { transformSync } from 'esbuild';

// Node.js 20 does not run TypeScript.
const { code } = transformSync(readFileSync(new URL('decision.ts', import.meta.url), 'utf8'), { loader: 'ts', format: 'esm' });
const { decide } = await import('data:text/javascript,' + encodeURIComponent(code));

const { decisions } = JSON.parse(readFileSync(new URL('../../decision-vectors.json', import.meta.url), 'utf8'));

/** networksOf returns the networks of each allocation. */
function networksOf(groups) {
  return (groups ?? []).flatMap(({ allocations, networks }) => Array.from({ length: allocations }, () =>
    networks.flatMap(({ times, devices, crashed }) => Array.from({ length: times }, () => ({ devices, crashed })))));
}

/** near fails unless the numbers agree in six digits, to which the vectors are rounded. */
function near(got, want, what) {
  assert.ok(Math.abs(got - want) <= 1e-5 * Math.abs(want) + 1e-12, `${what}: ${got} instead of ${want}`);
}

test('the vectors have every outcome', () => {
  const outcomes = new Set(decisions.map(({ decision }) => decision.waitingFor || decision.action));
  assert.deepEqual([...outcomes].sort(), ['advance', 'complete', 'data', 'devices', 'networks', 'roll_back', 'threshold']);
});

for (const { name, policy, inside, outside, decision } of decisions) {
  test(name, () => {
    const got = decide(networksOf(inside), networksOf(outside), policy);
    assert.equal(got.action, decision.action);
    assert.equal(got.waitingFor, decision.waitingFor);
    near(got.evidence, decision.evidence, 'evidence');
    near(got.countedDevices, decision.countedDevices, 'counted devices');
    near(got.worst?.all.affected ?? 0, decision.affected, 'affected');
    near(got.worst?.all.counted ?? 0, decision.counted, 'counted');
    near(got.worst?.limit ?? 0, decision.limit, 'limit');
  });
}
