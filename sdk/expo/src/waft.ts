import type { Provider } from '@openfeature/web-sdk';
import { Connections } from './connections';
import { WaftFlags } from './flags';
import { Foreground } from './foreground';
import { DeviceHealth, type Health } from './health';
import { postJSON, within } from './http';
import type { Platform } from './platform';
import { Problems } from './problems';
import type { Origin } from './queue';
import { seatIn } from './seat';
import { Session } from './session';
import { targetOf, type Target, type WaftOptions } from './settings';
import { Stored, type KeyValueStorage } from './storage';
import { DeviceUpdates, type Updates } from './updates';

/** Health, updates and flags of this app. */
export interface Waft {
  /** Reports events and errors. */
  readonly health: Health;
  /** Checks for updates. */
  readonly updates: Updates;
  /** The provider for OpenFeature's web and React SDKs. */
  readonly flags: Provider;
  /** Starts reporting errors and checking for updates, and reports the launch. Has no effect if already started. WaftProvider calls it. */
  start(): void;
  /**
   * Stops health, updates and following flags until the next start: no timer, listener or connection remains. Flags keep their values, and
   * unsent reports stay stored.
   */
  stop(): void;
}

const manifestTimeoutMs = 10_000;

/** Creates a Waft for the given platform. Throws if a setting is missing or wrong. */
export function waftIn(given: Platform, options: WaftOptions): Waft {
  const connections = new Connections(given.fetch);
  const platform: Platform = { ...given, fetch: connections.fetch };
  const target = targetOf(options, platform.settings);
  if (!['ios', 'android', 'web'].includes(platform.os)) {
    throw new Error(`@waft/expo: the platform must be ios, android or web, not "${platform.os}"`);
  }
  const enabled = options.enabled ?? (!platform.isDevelopment && (platform.os === 'web' || platform.hasUpdates));
  const storage = options.storage ?? platform.storage;
  const prefix = `waft/${target.url}/${target.project}`;
  const deviceId = deviceOf(options.deviceId ?? platform.deviceId, storage);
  const { updateUuid } = platform.launch;
  const origin: Origin = { runtimeVersion: target.runtimeVersion, updateUuid };
  if (target.channel !== undefined) {
    origin.channel = target.channel;
  }
  const foreground = new Foreground(platform.appState);
  const own = platform.os === 'web' ? seatIn(storage, prefix, platform.locks) : storage;
  const session = new Session(own, `${prefix}/session`);

  const flags = new WaftFlags({
    endpoint: { ...target, platform: platform.os, updateUuid, fetch: platform.fetch, stream: platform.stream },
    deviceId, storage, prefix, foreground, freeze: options.freezeFlags ?? false,
  });
  const problems = new Problems(target, options.onError, platform.isDevelopment);
  const health = new DeviceHealth({
    enabled, origin, launch: platform.launch, storage: own, prefix, session, foreground,
    beforeSend: options.beforeSend,
    newKey: randomId,
    flagStates: () => flags.states(),
    readLog: (age) => platform.readLog(age),
    post: async ({ key, origin: of, events }) =>
      postJSON(platform.fetch, `${target.url}/v1/ota/health-metrics`, { 'idempotency-key': key }, {
        projectSlug: target.project, deviceId: await deviceId, platform: platform.os, ...of, events,
      }),
    tell: (refusal) => {
      problems.tell(refusal);
    },
  });
  const updates = new DeviceUpdates({
    enabled: enabled && platform.hasUpdates,
    module: platform.updates, session, foreground, onRestart: options.onRestart,
    report: (error) => {
      health.captureException(error);
    },
    settle: () => health.settle(),
    storeUpdate: async () => askForStoreUpdate(platform, target, await deviceId),
  });
  return {
    health, updates, flags,
    start: () => {
      foreground.start();
      flags.start();
      health.start();
      updates.start();
    },
    stop: () => {
      updates.stop();
      health.stop();
      flags.stop();
      foreground.stop();
      connections.close();
    },
  };
}

/** Returns the given device ID, or otherwise an ID that is generated once and stored. */
async function deviceOf(named: string | undefined, storage: KeyValueStorage): Promise<string> {
  if (named) {
    return named;
  }
  const stored = new Stored<string>(storage, 'waft/device');
  // If the storage responds too late, its ID replaces the new one again for the next start.
  const known = await stored.read((late) => void stored.write(late));
  if (typeof known === 'string') {
    return known;
  }
  const made = randomId();
  await stored.write(made);
  return made;
}

/**
 * Returns the server's minimum runtime version, if it is higher than the app's. expo-updates does not pass it to the app, so
 * this requests the manifest once more, with the headers that matter for it.
 */
async function askForStoreUpdate(platform: Platform, target: Target, deviceId: string): Promise<string | undefined> {
  const headers: Record<string, string> = {
    accept: 'multipart/mixed,application/expo+json,application/json',
    'expo-protocol-version': '1',
    'expo-platform': platform.os,
    'expo-runtime-version': target.runtimeVersion,
    'eas-client-id': deviceId,
  };
  if (target.channel !== undefined) {
    headers['expo-channel-name'] = target.channel;
  }
  if (platform.launch.updateUuid !== null) {
    headers['expo-current-update-id'] = platform.launch.updateUuid;
  }
  try {
    const url = `${target.url}/v1/ota/manifest/${encodeURIComponent(target.project)}`;
    const answer = await within(manifestTimeoutMs, (signal) => platform.fetch(url, { headers, signal }));
    return answer.headers.get('waft-store-update-required') ?? undefined;
  } catch {
    return undefined;
  }
}

/** Returns a random UUID, version 4. Hermes has no secure random source, but these IDs need not be secret. */
function randomId(): string {
  const digits = Array.from({ length: 32 }, () => Math.floor(Math.random() * 16));
  digits[12] = 4;
  digits[16] = 8 | ((digits[16] ?? 0) & 3);
  const hex = digits.map((d) => d.toString(16)).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
