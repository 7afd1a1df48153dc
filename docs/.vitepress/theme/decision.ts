/**
 * The decision of a rollout's stage, computed as Waft computes it, for the picture on the page about evidence. The Go tests of
 * internal/decide/rollout write docs/decision-vectors.json with the decisions of the server; docs/tests/vectors.test.ts compares them with
 * this file.
 */

/** A network with devices that count, at least one. */
export interface Network {
  devices: number;
  crashed: number;
}

/** The part of a rollout policy that decides about crashes. Percentages are from 0 to 100. */
export interface Policy {
  crashRate: number;
  minNetworks: number;
  allocationVotes: number;
  /** control also compares the release with the devices outside the rollout. */
  baseline: 'limit' | 'control';
  minDevices: number;
  lastStage: boolean;
}

/** Affected and counted votes, or devices if minNetworks is 1. */
export interface Group {
  affected: number;
  counted: number;
}

export type Verdict = 'fine' | 'no data' | 'hold' | 'breach';

/** A comparison with the threshold, or with the devices outside the rollout if outside is set. */
export interface Reading {
  all: Group;
  /** all without what speaks most against the release; a rollback is judged by it. */
  without: Group;
  /** all without what speaks most for the release; the end of a stage is judged by it. */
  strict: Group;
  leftOut: number;
  withoutAllocation: boolean;
  limit: number;
  outside?: Group;
  evidence: number;
  verdict: Verdict;
}

export interface Decision {
  action: 'hold' | 'advance' | 'complete' | 'roll_back';
  waitingFor: '' | 'networks' | 'threshold' | 'data' | 'devices';
  verdict: Verdict;
  evidence: number;
  readings: Reading[];
  /** The reading that decided, or undefined without devices. */
  worst?: Reading;
  votes: Votes;
  fewNetworks: boolean;
  /** The devices that count toward minDevices. */
  countedDevices: number;
}

/** The sums of the votes of networks. */
export interface Votes {
  devices: number;
  crashed: number;
  networks: number;
  allocations: number;
  weight: number;
  cappedDevices: number;
  sum: number;
  /** The largest votes of networks, in descending order. */
  most: number[];
  mostOfAllocation: number;
  healthyOfAllocation: number;
}

/** The evidence from which a rate above its threshold is a breach. */
export const decisiveEvidence = 20;

const maxLeftOut = 10;
const ratios = [1.25, 1.5, 2, 3, 5, 10];
const order: Verdict[] = ['fine', 'no data', 'hold', 'breach'];

/** rate returns the percentage of affected votes or devices. */
export function rate(group: Group): number {
  return group.counted <= 0 ? 0 : (100 * group.affected) / group.counted;
}

/** weightOf returns the weight of a network in an allocation with so many networks. */
export function weightOf(networks: number, policy: Policy): number {
  return Math.min(policy.allocationVotes, networks) / networks;
}

/** voteOf returns the weighted vote of network, whose allocation has so many networks. */
export function voteOf(network: Network, networks: number, policy: Policy): number {
  return (weightOf(networks, policy) * network.crashed) / network.devices;
}

/** maxPerNetwork returns how many devices of a network count toward minDevices. */
export function maxPerNetwork(policy: Policy): number {
  return Math.ceil(policy.minDevices / policy.minNetworks);
}

/** maxPerAllocation returns how many devices of an allocation count toward minDevices. */
export function maxPerAllocation(policy: Policy): number {
  const each = maxPerNetwork(policy);
  return Math.max(each, Math.min(policy.allocationVotes * each, policy.minDevices - each));
}

/** tally adds up the votes. Each element of allocations has the networks of one allocation. */
export function tally(allocations: Network[][], policy: Policy): Votes {
  const votes: Votes = {
    devices: 0, crashed: 0, networks: 0, allocations: allocations.length, weight: 0, cappedDevices: 0,
    sum: 0, most: [], mostOfAllocation: 0, healthyOfAllocation: 0,
  };
  for (const networks of allocations) {
    let sum = 0;
    let capped = 0;
    for (const network of networks) {
      const vote = voteOf(network, networks.length, policy);
      sum += vote;
      votes.most.push(vote);
      capped += Math.min(network.devices, maxPerNetwork(policy));
      votes.devices += network.devices;
      votes.crashed += network.crashed;
    }
    const weight = Math.min(policy.allocationVotes, networks.length);
    votes.networks += networks.length;
    votes.weight += weight;
    votes.cappedDevices += Math.min(capped, maxPerAllocation(policy));
    votes.sum += sum;
    votes.mostOfAllocation = Math.max(votes.mostOfAllocation, sum);
    votes.healthyOfAllocation = Math.max(votes.healthyOfAllocation, weight - sum);
  }
  votes.most = votes.most.sort((a, b) => b - a).slice(0, maxLeftOut);
  return votes;
}

/** leftOut returns how many of the most affected networks a rollback is judged without. */
export function leftOut(weight: number, limit: number): number {
  const affected = limit * weight + 1e-9;
  if (affected < 5) return 1;
  return affected < 10 ? maxLeftOut : maxLeftOut / 2;
}

function less(group: Group, affected: number, votes: number): Group {
  if (group.counted - votes < 1e-6) return { affected: 0, counted: 0 };
  return { affected: Math.max(group.affected - affected, 0), counted: group.counted - votes };
}

type Ballot = Pick<Reading, 'all' | 'without' | 'strict' | 'leftOut' | 'withoutAllocation'>;

function devicesBallot(votes: Votes): Ballot {
  const all = { affected: votes.crashed, counted: votes.devices };
  return { all, without: all, strict: all, leftOut: 0, withoutAllocation: false };
}

function ballot(votes: Votes, leave: number): Ballot {
  const all = { affected: votes.sum, counted: votes.weight };
  const networks = Math.min(leave, votes.networks);
  let affected = votes.most.slice(0, networks).reduce((sum, vote) => sum + vote, 0);
  const withoutAllocation = votes.mostOfAllocation > affected + 1e-6;
  if (withoutAllocation) affected = votes.mostOfAllocation;
  const strict = votes.allocations > 1 ? less(all, 0, votes.healthyOfAllocation) : all;
  return { all, without: less(all, affected, affected), strict, leftOut: networks, withoutAllocation };
}

/** outsideBallot is the ballot of the control group, whose healthy votes argue for a rollback. */
function outsideBallot(votes: Votes): Ballot {
  const all = { affected: votes.sum, counted: votes.weight };
  const strict = votes.allocations > 1 ? less(all, votes.mostOfAllocation, votes.mostOfAllocation) : all;
  return { all, without: less(all, 0, votes.healthyOfAllocation), strict, leftOut: 0, withoutAllocation: false };
}

function logMean(logs: number[]): number {
  const top = Math.max(...logs);
  return top + Math.log(logs.reduce((sum, log) => sum + Math.exp(log - top), 0) / logs.length);
}

/**
 * logEvidence returns the logarithm of the evidence that the true rate is above limit, a fraction from 0 to 1: how much likelier the counts
 * are then than if the rate equals limit.
 */
export function logEvidence(group: Group, limit: number): number {
  const all = Math.max(group.counted, 0);
  const bad = Math.min(Math.max(group.affected, 0), all);
  if (all === 0 || !(limit > 0 && limit < 1)) return 0;
  return logMean(ratios.map((ratio) => {
    let p = Math.min(ratio * limit, 0.95);
    if (p <= limit) p = (1 + limit) / 2;
    return bad * Math.log(p / limit) + (all - bad) * (Math.log1p(-p) - Math.log1p(-limit));
  }));
}

/** logCompared returns the logarithm of how much likelier the counts are if the rate is higher inside than outside. */
function logCompared(inside: Group, outside: Group): number {
  if (inside.counted <= 0 || outside.counted <= 0) return 0;
  const w = inside.counted / (inside.counted + outside.counted);
  return logMean(ratios.map((ratio) => {
    const q = (ratio * w) / (ratio * w + 1 - w);
    return inside.affected * Math.log(q / w) + outside.affected * Math.log((1 - q) / (1 - w));
  }));
}

function evidenceOf(log: number): number {
  return Math.min(Math.exp(log), 1e12);
}

function readThreshold(votes: Votes, policy: Policy, watched: number): Reading {
  const limit = policy.crashRate;
  const b = policy.minNetworks > 1 ? ballot(votes, leftOut(votes.weight, limit / 100)) : devicesBallot(votes);
  const log = logEvidence(b.without, limit / 100) - Math.log(watched);
  let verdict: Verdict = 'hold';
  if (log >= Math.log(decisiveEvidence) && rate(b.without) > limit) verdict = 'breach';
  else if (rate(b.strict) <= limit) verdict = 'fine';
  return { ...b, limit, evidence: evidenceOf(log), verdict };
}

function readControl(inside: Votes, outside: Votes, policy: Policy, watched: number): Reading {
  const voting = policy.minNetworks > 1;
  const out = voting ? outsideBallot(outside) : devicesBallot(outside);
  const leave = Math.min(leftOut(inside.weight, rate(out.all) / 100), maxLeftOut / 2);
  const b = voting ? ballot(inside, leave) : devicesBallot(inside);
  const evidence = evidenceOf(logCompared(b.without, out.without) - Math.log(watched));
  const reading: Reading = { ...b, limit: rate(out.all), outside: out.all, evidence, verdict: 'fine' };
  if (evidence >= decisiveEvidence) reading.verdict = 'breach';
  else if (logCompared(b.strict, out.strict) > 0 && rate(b.all) > reading.limit) reading.verdict = 'hold';
  return reading;
}

/**
 * decide returns the decision on a stage that has run for its minimum time. inside and outside have the networks of the devices that
 * reported, by allocation.
 */
export function decide(inside: Network[][], outside: Network[][], policy: Policy): Decision {
  const votes = tally(inside, policy);
  const voting = policy.minNetworks > 1;
  const decision: Decision = {
    action: 'hold', waitingFor: 'data', verdict: 'no data', evidence: 0, readings: [], votes, fewNetworks: false,
    countedDevices: voting ? votes.cappedDevices : votes.devices,
  };
  if (votes.devices <= 0) return decision;

  const control = policy.baseline === 'control';
  const watched = control ? 2 : 1;
  decision.readings.push(readThreshold(votes, policy, watched));
  if (control) decision.readings.push(readControl(votes, tally(outside, policy), policy, watched));
  decision.fewNetworks = voting && (votes.weight < policy.minNetworks || votes.allocations === 1);
  for (const reading of decision.readings) {
    if (decision.fewNetworks && reading.verdict === 'breach') reading.verdict = 'hold';
    decision.evidence = Math.max(decision.evidence, reading.evidence);
    const worse = decision.worst === undefined ? 1 : order.indexOf(reading.verdict) - order.indexOf(decision.worst.verdict);
    if (worse > 0 || (worse === 0 && reading.evidence > decision.worst!.evidence)) decision.worst = reading;
  }
  decision.verdict = decision.worst!.verdict;
  return { ...decision, ...next(decision, policy) };
}

function next(decision: Decision, policy: Policy): Pick<Decision, 'action' | 'waitingFor'> {
  const hold = (waitingFor: Decision['waitingFor']) => ({ action: 'hold' as const, waitingFor });
  if (decision.verdict === 'breach') return { action: 'roll_back', waitingFor: '' };
  if (decision.verdict === 'hold') return hold(decision.fewNetworks ? 'networks' : 'threshold');
  if (decision.votes.devices < policy.minDevices) return hold('devices');
  if (decision.fewNetworks || decision.countedDevices < policy.minDevices) return hold('networks');
  return { action: policy.lastStage ? 'complete' : 'advance', waitingFor: '' };
}
