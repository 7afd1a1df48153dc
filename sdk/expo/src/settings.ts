import type { BeforeSend } from './health';
import type { OnError } from './problems';
import type { KeyValueStorage } from './storage';

/**
 * Settings of createWaft and of the functions of the other entries, which ignore the settings that do not concern them. Missing settings
 * come from the app's own settings of expo-updates.
 */
export interface WaftOptions {
  /**
   * Address of the server, such as `https://ota.example.com`.
   *
   * @defaultValue the address in `updates.url` of the app config
   */
  url?: string | undefined;
  /**
   * Slug of the project.
   *
   * @defaultValue the project in `updates.url` of the app config
   */
  project?: string | undefined;
  /**
   * Name of the channel.
   *
   * @defaultValue the channel that expo-updates requests
   */
  channel?: string | undefined;
  /**
   * Runtime version of the binary, such as `1.4.0`.
   *
   * @defaultValue the runtime version of the build
   */
  runtimeVersion?: string | undefined;
  /**
   * ID of the device in manifest requests and reports.
   *
   * @defaultValue the ID that expo-updates sends, or without it a generated and stored ID
   */
  deviceId?: string | undefined;
  /**
   * Whether to report health and check for updates.
   *
   * @defaultValue `true` in a release build whose expo-updates is enabled, `false` in development
   */
  enabled?: boolean | undefined;
  /**
   * Storage of unsent reports and of the values of flags.
   *
   * @defaultValue `@react-native-async-storage/async-storage`, which an app with a storage of its own does not need
   */
  storage?: KeyValueStorage | undefined;
  /**
   * Stores and sends reports only after `health.setConsent(true)`. Updates and flags work without consent.
   *
   * @defaultValue `false`
   */
  requireConsent?: boolean | undefined;
  /**
   * Share of the devices that report, from 0 to 1, chosen by their IDs. Percentages of devices stay true, because a device reports either
   * everything or nothing. A rollout with `minDevices` waits for as many reporting devices.
   *
   * @defaultValue `1`
   */
  sampleRate?: number | undefined;
  /**
   * Sends the email address and the name of `health.setUser`.
   *
   * @defaultValue `false`
   */
  sendPersonalData?: boolean | undefined;
  /**
   * Changes or drops events before they are stored or sent, for example to remove personal data.
   *
   * @defaultValue none: events are stored and sent unchanged
   */
  beforeSend?: BeforeSend | undefined;
  /**
   * Called once per launch for each mistake in the settings that the server finds, such as a project that does not exist.
   *
   * @defaultValue none: the console shows mistakes in development
   */
  onError?: OnError | undefined;
  /**
   * Keeps the values of flags from the start until the app starts again.
   *
   * @defaultValue `false`
   */
  freezeFlags?: boolean | undefined;
  /**
   * Called before a critical update, or a rollback to the embedded update, restarts the app. Return false to postpone the restart.
   *
   * @defaultValue none: the app restarts immediately
   */
  onRestart?: (() => boolean | Promise<boolean>) | undefined;
}

/** The app's own settings. */
export interface AppSettings {
  /** `updates.url` of the app config. */
  updatesUrl: string | undefined;
  channel: string | undefined;
  runtimeVersion: string | undefined;
}

/** The server, project, channel and runtime version that requests are for. */
export interface Target {
  url: string;
  project: string;
  channel: string | undefined;
  runtimeVersion: string;
}

const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';
const isBoolean = (value: unknown): boolean => typeof value === 'boolean';
const isFunction = (value: unknown): boolean => typeof value === 'function';

/** The rule for each option, as a sentence and as a check. */
const rules: Record<keyof WaftOptions, [sentence: string, holds: (value: unknown) => boolean]> = {
  url: [
    'must be an address such as "https://ota.example.com", without "/v1/ota"',
    (value) => /^https?:\/\/[^/?#\s]+[^?#\s]*$/.test(String(value)) && !/\/v1\/ota(\/|$)/.test(String(value)),
  ],
  project: ['must be the slug of a project', isText],
  channel: ['must be the name of a channel', isText],
  runtimeVersion: ['must be a runtime version such as "1.4.0"', isText],
  deviceId: ['must be the id of a device', isText],
  enabled: ['must be true or false', isBoolean],
  storage: [
    'must have the functions getItem, setItem and removeItem',
    (value) => ['getItem', 'setItem', 'removeItem'].every((name) => isFunction((value as Record<string, unknown> | null)?.[name])),
  ],
  requireConsent: ['must be true or false', isBoolean],
  sampleRate: ['must be a number from 0 to 1', (value) => typeof value === 'number' && value >= 0 && value <= 1],
  sendPersonalData: ['must be true or false', isBoolean],
  beforeSend: ['must be a function', isFunction],
  onError: ['must be a function', isFunction],
  freezeFlags: ['must be true or false', isBoolean],
  onRestart: ['must be a function', isFunction],
};

function mustFit(options: object): void {
  for (const [name, value] of Object.entries(options) as [string, unknown][]) {
    const rule = Object.hasOwn(rules, name) ? rules[name as keyof WaftOptions] : undefined;
    if (!rule) {
      throw new Error(`@waft/expo: ${name} is not a setting; those are ${Object.keys(rules).join(', ')}`);
    }
    if (value !== undefined && !rule[1](value)) {
      const found = typeof value === 'string' ? `"${value}"` : value === null ? 'null' : typeof value;
      throw new Error(`@waft/expo: ${name} ${rule[0]}, not ${found}; leave it out for the default`);
    }
  }
}

/** Returns the target from the options and the app's settings. Throws an error that names a missing or wrong setting. */
export function targetOf(options: WaftOptions, app: AppSettings): Target {
  mustFit(options);
  const named = /^(https?:\/\/.+)\/v1\/ota\/manifest\/([^/?#]+)/.exec(app.updatesUrl ?? '');
  const url = required('url', options.url ?? named?.[1], app.updatesUrl).replace(/\/+$/, '');
  const project = required('project', options.project ?? decoded(named?.[2]), app.updatesUrl);
  const runtimeVersion = options.runtimeVersion ?? app.runtimeVersion;
  if (!runtimeVersion) {
    throw new Error('@waft/expo: runtimeVersion is missing: set "runtimeVersion" in the app config, or pass it to createWaft');
  }
  return { url, project, channel: options.channel ?? app.channel, runtimeVersion };
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text);
  } catch {
    return undefined; // The name is not validly encoded, so it counts as missing.
  }
}

function required(name: string, value: string | undefined, updatesUrl: string | undefined): string {
  if (value) {
    return value;
  }
  const found = updatesUrl ? `"updates.url" is "${updatesUrl}"` : '"updates.url" is not set';
  throw new Error(
    `@waft/expo: ${name} is missing: in the app config ${found}; ` +
      `set it to "https://<server>/v1/ota/manifest/<project>", or pass ${name} to createWaft`,
  );
}
