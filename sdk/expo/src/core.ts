import { Connections } from './connections';
import type { WaftFlags } from './flags';
import { Foreground } from './foreground';
import type { DeviceHealth } from './health';
import { deviceOf } from './ids';
import type { Platform } from './platform';
import { Problems } from './problems';
import type { Origin } from './queue';
import { seatIn } from './seat';
import { Session } from './session';
import { targetOf, type Target, type WaftOptions } from './settings';
import type { KeyValueStorage } from './storage';
import type { DeviceUpdates } from './updates';

/** Health, updates and flags of one project, as far as the app uses them. */
export interface Parts {
  health?: DeviceHealth;
  updates?: DeviceUpdates;
  flags?: WaftFlags;
}

/** The dependencies that health, updates and flags of one project share. */
export interface Core {
  platform: Platform;
  options: WaftOptions;
  target: Target;
  /** Whether to report health and check for updates. */
  enabled: boolean;
  deviceId: Promise<string>;
  storage: KeyValueStorage;
  /** The storage for data that belongs to one page of a browser, and otherwise to the app. */
  own: KeyValueStorage;
  /** Prefix of the storage keys. */
  prefix: string;
  origin: Origin;
  foreground: Foreground;
  session: Session;
  problems: Problems;
  connections: Connections;
  parts: Parts;
}

/** Creates a core for the given platform. Throws if a setting is missing or wrong. */
export function coreIn(given: Platform, options: WaftOptions): Core {
  const connections = new Connections(given.fetch);
  const platform: Platform = { ...given, fetch: connections.fetch };
  const target = targetOf(options, platform.settings);
  if (!['ios', 'android', 'web'].includes(platform.os)) {
    throw new Error(`@waft/expo: the platform must be ios, android or web, not "${platform.os}"`);
  }
  const enabled = options.enabled ?? (!platform.isDevelopment && (platform.os === 'web' || platform.hasUpdates));
  const storage = options.storage ?? platform.storage;
  const prefix = `waft/${target.url}/${target.project}`;
  const origin: Origin = { runtimeVersion: target.runtimeVersion, updateUuid: platform.launch.updateUuid };
  if (target.channel !== undefined) {
    origin.channel = target.channel;
  }
  const own = platform.os === 'web' ? seatIn(storage, prefix, platform.locks) : storage;
  return {
    platform, options, target, enabled, storage, own, prefix, origin, connections,
    deviceId: deviceOf(options.deviceId ?? platform.deviceId, storage),
    foreground: new Foreground(platform.appState),
    session: new Session(own, `${prefix}/session`),
    problems: new Problems(target, options.onError, platform.isDevelopment),
    parts: {},
  };
}
