import type { BeforeSend } from './health';
import type { KeyValueStorage } from './storage';

/** Settings of createWaft. What is missing comes from the app's own settings of expo-updates. */
export interface WaftOptions {
  /** Address of the server, such as `https://ota.example.com`; by default that of `updates.url`. */
  url?: string;
  /** Slug of the project; by default that of `updates.url`. */
  project?: string;
  /** By default the channel that expo-updates asks for. */
  channel?: string;
  /** By default that of the build. */
  runtimeVersion?: string;
  /** Names the device. By default the id that expo-updates sends, on the web one that is made and stored. */
  deviceId?: string;
  /** Reports health and looks for updates. By default not in development. */
  enabled?: boolean;
  /** By default `@react-native-async-storage/async-storage`. */
  storage?: KeyValueStorage;
  /** Changes or leaves out events before they are stored or sent, for example to remove personal data. */
  beforeSend?: BeforeSend;
  /** Keeps the values of flags as they are at the start until the app starts again. */
  freezeFlags?: boolean;
  /** Called when a critical update, or the way back to the embedded one, is about to restart the app; false puts it off. */
  onRestart?: () => boolean | Promise<boolean>;
}

/** What the app's own settings say. */
export interface AppSettings {
  /** `updates.url` of the app config. */
  updatesUrl: string | undefined;
  channel: string | undefined;
  runtimeVersion: string | undefined;
}

/** Where to send what. */
export interface Target {
  url: string;
  project: string;
  channel: string | undefined;
  runtimeVersion: string;
}

const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';
const isBoolean = (value: unknown): boolean => typeof value === 'boolean';
const isFunction = (value: unknown): boolean => typeof value === 'function';

/** What each option must be, and whether a value is that. */
const rules: Record<keyof WaftOptions, [sentence: string, holds: (value: unknown) => boolean]> = {
  url: ['must be an address such as "https://ota.example.com"', (value) => /^https?:\/\/[^/?#\s]+[^?#\s]*$/.test(String(value))],
  project: ['must be the slug of a project', isText],
  channel: ['must be the name of a channel', isText],
  runtimeVersion: ['must be a runtime version such as "1.4.0"', isText],
  deviceId: ['must be the id of a device', isText],
  enabled: ['must be true or false', isBoolean],
  storage: [
    'must have the functions getItem, setItem and removeItem',
    (value) => ['getItem', 'setItem', 'removeItem'].every((name) => isFunction((value as Record<string, unknown> | null)?.[name])),
  ],
  beforeSend: ['must be a function', isFunction],
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

/** The target that options and the app's settings name. It throws an error that names the setting that is missing or wrong. */
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
    return undefined; // It is no name that was encoded, so the project is missing.
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
