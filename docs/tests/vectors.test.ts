import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { decide, type Network, type Policy } from '../.vitepress/theme/decision';

interface Allocations {
  allocations: number;
  networks: (Network & { times: number })[];
}

interface Vector {
  name: string;
  policy: Policy;
  inside: Allocations[] | null;
  outside?: Allocations[];
  decision: { action: string; waitingFor: string; evidence: number; countedDevices: number; affected: number; counted: number; limit: number };
}

// The Go tests of internal/decide/rollout write the decisions of the server into this file.
const { decisions } = JSON.parse(readFileSync(new URL('../decision-vectors.json', import.meta.url), 'utf8')) as { decisions: Vector[] };

/** networksOf returns the networks of each allocation. */
function networksOf(groups: Allocations[] | null | undefined): Network[][] {
  return (groups ?? []).flatMap(({ allocations, networks }) => Array.from({ length: allocations }, () =>
    networks.flatMap(({ times, devices, crashed }) => Array.from({ length: times }, () => ({ devices, crashed })))));
}

/** near matches a number that agrees in the six digits to which the vectors are rounded. */
function near(got: number, want: number, what: string) {
  expect.soft(Math.abs(got - want), `${what}: ${got} instead of ${want}`).toBeLessThanOrEqual(1e-5 * Math.abs(want) + 1e-12);
}

test('the vectors have every outcome', () => {
  const outcomes = new Set(decisions.map(({ decision }) => decision.waitingFor || decision.action));
  expect([...outcomes].sort()).toEqual(['advance', 'complete', 'data', 'devices', 'networks', 'roll_back', 'threshold']);
});

test('the picture decides as the server does', () => {
  for (const { name, policy, inside, outside, decision } of decisions) {
    const got = decide(networksOf(inside), networksOf(outside), policy);
    expect.soft({ action: got.action, waitingFor: got.waitingFor }, name).toEqual({ action: decision.action, waitingFor: decision.waitingFor });
    near(got.evidence, decision.evidence, `${name}, evidence`);
    near(got.countedDevices, decision.countedDevices, `${name}, counted devices`);
    near(got.worst?.all.affected ?? 0, decision.affected, `${name}, affected`);
    near(got.worst?.all.counted ?? 0, decision.counted, `${name}, counted`);
    near(got.worst?.limit ?? 0, decision.limit, `${name}, limit`);
  }
});
