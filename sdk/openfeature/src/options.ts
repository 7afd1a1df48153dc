/** Settings of a provider. */
export interface WaftOptions {
  /** The address of Waft, such as https://waft.example.com. */
  url: string;
  /** The project's slug or UUID. */
  project: string;
  /** The channel whose flags are evaluated. */
  channel: string;
  /** The platform of those whose context names none. */
  platform?: 'ios' | 'android' | 'web' | undefined;
  /** The runtime version of those whose context names none. */
  runtimeVersion?: string | undefined;
  /** The id of the release that those run whose context names none. */
  updateUuid?: string | undefined;
  /** The device of those whose context names none. It stands in for a missing targeting key. */
  deviceId?: string | undefined;
  /** Milliseconds between two questions for changes, from 1 to 2147483647; 30000 by default. */
  pollIntervalMs?: number | undefined;
  /** Whether changes are also told at once, over a connection that stays open; true by default. */
  stream?: boolean | undefined;
}

/** Options with their defaults. A text that is '' is unknown. */
export interface Settings {
  url: string;
  project: string;
  channel: string;
  platform: string;
  runtimeVersion: string;
  updateUuid: string;
  deviceId: string;
  pollIntervalMs: number;
  stream: boolean;
}

/** The longest time that timers know. */
const longestInterval = 2 ** 31 - 1;

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

const isText = (value: unknown) => typeof value === 'string' && value.trim() !== '';

function isAddress(value: unknown): boolean {
  try {
    const { protocol, search, hash } = new URL(value as string);
    return /^https?:$/.test(protocol) && search + hash === '';
  } catch {
    return false;
  }
}

/** What each setting must be, and whether that holds for a value. */
const rules: Record<keyof WaftOptions, [sentence: string, holds: (value: unknown) => boolean]> = {
  url: ['must be an http or https address, such as https://waft.example.com', isAddress],
  project: ["must be the project's slug or UUID", isText],
  channel: ['must be the name of a channel, such as production', isText],
  platform: ['must be ios, android or web', (value) => ['ios', 'android', 'web'].includes(value as string)],
  runtimeVersion: ['must be a runtime version, such as 1.4.0', isText],
  updateUuid: ['must be the UUID of a release', (value) => uuid.test(String(value))],
  deviceId: ['must be the id of a device', isText],
  pollIntervalMs: [
    `must be a number of milliseconds from 1 to ${longestInterval}`,
    (value) => typeof value === 'number' && value >= 1 && value <= longestInterval,
  ],
  stream: ['must be true or false', (value) => typeof value === 'boolean'],
};

const required: string[] = ['url', 'project', 'channel'];

/** Checks the options of a provider. It throws an error that names each setting that is wrong. */
export function readOptions(provider: string, options: WaftOptions): Settings {
  const given: Record<string, unknown> = { ...options };
  const wrong = Object.keys(given)
    .filter((name) => !Object.hasOwn(rules, name))
    .map((name) => `"${name}" is not a setting; those are ${Object.keys(rules).join(', ')}`);
  for (const [name, [sentence, holds]] of Object.entries(rules)) {
    const value = given[name];
    if (value === undefined ? required.includes(name) : !holds(value)) wrong.push(`"${name}" ${sentence}`);
  }
  if (wrong.length > 0) throw new TypeError(`${provider}: ${wrong.join('; ')}`);
  const { url, project, channel, platform, runtimeVersion, updateUuid, deviceId, pollIntervalMs, stream } = options;
  return {
    url: url.replace(/\/+$/, ''),
    project,
    channel,
    platform: platform ?? '',
    runtimeVersion: runtimeVersion ?? '',
    updateUuid: updateUuid ?? '',
    deviceId: deviceId ?? '',
    pollIntervalMs: pollIntervalMs ?? 30_000,
    stream: stream ?? true,
  };
}
