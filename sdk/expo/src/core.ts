import { Connections } from './connections';
import type { WaftFlags } from './flags';
import { Foreground } from './foreground';
import type { DeviceHealth } from './health';
import { deviceOf } from './ids';
import type { Platform } from './platform';
import { Problems, type OnError } from './problems';
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
  /** The functions of the app that get the problems. */
  onError: Set<OnError>;
  connections: Connections;
  parts: Parts;
  /** The users that have started each part. */
  users: Map<object, Set<object>>;
  /** The settings of createWaft, if it has created or uses this core. */
  whole: WholeSettings | undefined;
}

/** The settings that make one Waft differ from another. Functions do not, because an app may make them for each call. */
interface WholeSettings {
  storage: KeyValueStorage | undefined;
  /** The other settings as JSON. */
  others: string;
}

/** Creates a core for the given platform. Throws if a setting is missing or wrong. */
export function coreIn(given: Platform, options: WaftOptions): Core {
  const target = targetOf(options, given.settings);
  if (!['ios', 'android', 'web'].includes(given.os)) {
    throw new Error(`@waft/expo: the platform must be ios, android or web, not "${given.os}"`);
  }
  const enabled = options.enabled ?? (!given.isDevelopment && (given.os === 'web' || given.hasUpdates !== false));
  const storage = options.storage ?? given.storage;
  if (!storage) {
    throw new Error(
      '@waft/expo: storage is missing: install @react-native-async-storage/async-storage and rebuild the app, or pass storage to createWaft',
    );
  }
  const prefix = prefixOf(target);
  const origin: Origin = { runtimeVersion: target.runtimeVersion, updateUuid: given.launch.updateUuid };
  if (target.channel !== undefined) {
    origin.channel = target.channel;
  }
  const onError = new Set(options.onError ? [options.onError] : []);
  const tellAll: OnError = (error) => {
    onError.forEach((tell) => {
      tell(error);
    });
  };
  const problems = new Problems(target, tellAll, given.isDevelopment);
  const connections = new Connections(given.fetch, (why) => {
    problems.unreachable(why);
  });
  const platform: Platform = { ...given, fetch: connections.fetch };
  const own = platform.os === 'web' ? seatIn(storage, prefix, platform.locks) : storage;
  return {
    platform, target, enabled, storage, own, prefix, origin, connections,
    deviceId: deviceOf(options.deviceId ?? platform.deviceId, storage),
    foreground: new Foreground(platform.appState),
    session: new Session(own, `${prefix}/session`),
    problems, onError,
    parts: {}, users: new Map(), whole: undefined,
  };
}

/** The last core of each project in this process. */
const cores = /* @__PURE__ */ new Map<string, Core>();

/** Returns the core of the project, so that the entries that an app uses share a device ID, a session and a queue. */
export function sharedCore(platform: Platform, options: WaftOptions): Core {
  return joined(known(platform, options) ?? registered(coreIn(platform, options)), options);
}

/**
 * Returns the core for createWaft: the one of an earlier call with the same settings, or the one of other entries, and otherwise a new one.
 * An app may call createWaft again while a component renders, or when its modules are loaded again.
 */
export function wholeCore(platform: Platform, options: WaftOptions): Core {
  const other = known(platform, options);
  const { storage, ...others } = options;
  const whole: WholeSettings = { storage, others: JSON.stringify(others) };
  if (other?.whole?.storage === storage && other?.whole?.others === whole.others) {
    return other;
  }
  const core = other && !other.whole ? other : registered(coreIn(platform, options));
  core.whole = whole;
  return joined(core, options);
}

/** A part that its users start and stop. */
export interface Running {
  readonly start: () => void;
  readonly stop: () => void;
}

/** Returns functions with which one user starts and stops a part of the core. The part stops when its last user stops. */
export function usageOf(core: Core, part: Running): Running {
  const user = {};
  const users = core.users.get(part) ?? new Set();
  core.users.set(part, users);
  return {
    start: () => {
      users.add(user);
      core.foreground.start();
      part.start();
    },
    stop: () => {
      users.delete(user);
      if (users.size === 0) {
        part.stop();
      }
      if ([...core.users.values()].every((all) => all.size === 0)) {
        core.foreground.stop();
        core.connections.close();
      }
    },
  };
}

function prefixOf({ url, project }: Target): string {
  return `waft/${url}/${project}`;
}

function known(platform: Platform, options: WaftOptions): Core | undefined {
  return cores.get(prefixOf(targetOf(options, platform.settings)));
}

/** Adds the app's function for problems that another entry got to the core. */
function joined(core: Core, { onError }: WaftOptions): Core {
  if (onError) {
    core.onError.add(onError);
  }
  return core;
}

function registered(core: Core): Core {
  cores.set(core.prefix, core);
  return core;
}
