import type { Schemas } from "@/api/client";
import { flagStates } from "@/search/pages";

export type FlagState = (typeof flagStates)[number];

/** Returns the state of each flag by ID, from the server's list for each state. The worst state wins. */
export function stateByFlag(lists: Record<FlagState, { id: number }[] | undefined>): Map<number, FlagState> {
  const states = new Map<number, FlagState>();
  for (const state of flagStates) for (const { id } of lists[state] ?? []) if (!states.has(id)) states.set(id, state);
  return states;
}

export interface Share {
  label: string;
  devices: number;
  /** Percent of the flag's devices. */
  value: number;
}

/** Returns each variation's devices by flag key, largest share first. */
export function sharesByFlag(impacts: Schemas["FlagImpact"][]): Map<string, Share[]> {
  const devices = new Map<string, Map<string, number>>();
  for (const { flagKey, variation, devices: number } of impacts) {
    const of = devices.get(flagKey) ?? new Map<string, number>();
    of.set(variation, (of.get(variation) ?? 0) + number);
    devices.set(flagKey, of);
  }
  const shares = new Map<string, Share[]>();
  for (const [key, of] of devices) {
    const all = [...of.values()].reduce((sum, each) => sum + each, 0);
    if (all === 0) continue;
    const list = [...of].map(([label, number]) => ({ label, devices: number, value: (100 * number) / all }));
    shares.set(key, list.sort((a, b) => b.devices - a.devices));
  }
  return shares;
}

/** Reports whether a flag can be degraded or an incident: whether a device with one of its variations had an error or crashed. */
export function mayDoHarm(impacts: Pick<Schemas["FlagImpact"], "erroredDevices" | "crashedDevices">[]): boolean {
  return impacts.some((impact) => impact.erroredDevices > 0 || impact.crashedDevices > 0);
}

const staleAfter = 30 * 86_400_000;

/** Reports whether a flag can be unused: whether it is older than 30 days. `now` is in milliseconds. */
export function mayBeStale(flags: Pick<Schemas["Flag"], "createdAt">[], now: number): boolean {
  return flags.some((flag) => now - Date.parse(flag.createdAt) > staleAfter);
}
