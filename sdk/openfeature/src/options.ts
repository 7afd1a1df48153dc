/** Settings of a provider. */
export interface WaftOptions {
  /** Address of Waft, such as `https://ota.example.com`. */
  url: string;
  /** Slug or UUID of the project. */
  project: string;
  /** Name of the channel whose flags are evaluated. */
  channel: string;
  /**
   * Platform for contexts that do not set it.
   *
   * @defaultValue none: the attribute is missing
   */
  platform?: 'ios' | 'android' | 'web' | undefined;
  /**
   * Runtime version for contexts that do not set it, such as `1.4.0`.
   *
   * @defaultValue none: the attribute is missing
   */
  runtimeVersion?: string | undefined;
  /**
   * Update ID of the running release for contexts that do not set it.
   *
   * @defaultValue none: flags do not get the values that are linked to a release
   */
  updateUuid?: string | undefined;
  /**
   * Device ID for contexts that do not set it. Replaces a missing targeting key.
   *
   * @defaultValue none: without a targeting key, percentages do not match
   */
  deviceId?: string | undefined;
  /**
   * Milliseconds between two requests for changes, from 1 to 2147483647.
   *
   * @defaultValue `30000`, which is 30 seconds
   */
  pollIntervalMs?: number | undefined;
  /**
   * Whether to receive changes immediately over an event stream as well.
   *
   * @defaultValue `true`
   */
  stream?: boolean | undefined;
}

/** Options with their defaults. An empty string is an unknown value. */
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

/** The maximum time for timers. */
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

/** The rule for each setting, as a sentence and as a check. */
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

/** Checks the options of a provider. Throws an error that names every wrong setting. */
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
