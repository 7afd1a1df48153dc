import { requireOptionalNativeModule } from 'expo';
import Constants from 'expo-constants';
import { AppState, Platform as NativePlatform } from 'react-native';
import asyncStorage from '../asyncstorage.cjs';
import type { AppStateSource } from './foreground';
import type { Fetch } from './http';
import type { Launch, LogEntry } from './launches';
import type { Locks } from './seat';
import type { AppSettings } from './settings';
import type { KeyValueStorage } from './storage';

/** The parts of the app and the device that this package uses. */
export interface Platform {
  os: string;
  settings: AppSettings;
  /** The device ID that expo-updates sends, from its native module EASClient. Undefined on the web. */
  deviceId: string | undefined;
  isDevelopment: boolean;
  /** True if expo-updates is enabled. Undefined if the app does not have it, and on the web. */
  hasUpdates: boolean | undefined;
  launch: Launch;
  /** The app's AsyncStorage, if it has that. */
  storage: KeyValueStorage | undefined;
  /** Locks between the tabs of a browser. Undefined if an app runs only once, and in pages without https. */
  locks: Locks | undefined;
  appState: AppStateSource;
  readLog(maxAgeMs: number): Promise<LogEntry[]>;
  fetch: Fetch;
}

declare const __DEV__: boolean | undefined;

/**
 * The properties of the native module of expo-updates that this package reads. It reads them there, because an import of expo-updates
 * fails in an app that does not have it.
 */
interface NativeUpdates {
  isEnabled?: boolean;
  channel?: string;
  runtimeVersion?: string;
  isEmbeddedLaunch?: boolean;
  updateId?: string;
  isEmergencyLaunch?: boolean;
  emergencyLaunchReason?: string | null;
  readLogEntriesAsync?(maxAgeMs: number): Promise<LogEntry[]>;
}

/** Returns the platform of the running app. */
export function thisApp(): Platform {
  const isWeb = NativePlatform.OS === 'web';
  // True while a page is prerendered by a build or a server, where it is not visible.
  const isAhead = isWeb && typeof document === 'undefined';
  const native = isWeb ? undefined : (requireOptionalNativeModule<NativeUpdates>('ExpoUpdates') ?? undefined);
  const config = Constants.expoConfig;
  const headers = config?.updates?.requestHeaders as Record<string, string> | undefined;
  const ownVersion = typeof config?.runtimeVersion === 'string' ? config.runtimeVersion : config?.version;
  return {
    os: NativePlatform.OS,
    settings: {
      updatesUrl: config?.updates?.url,
      // On the web expo-updates has no settings.
      channel: named(native?.channel) ?? headers?.['expo-channel-name'] ?? headers?.['client-channel-name'],
      runtimeVersion: named(native?.runtimeVersion) ?? ownVersion,
    },
    deviceId: requireOptionalNativeModule<{ clientID?: string }>('EASClient')?.clientID?.toLowerCase(),
    isDevelopment: typeof __DEV__ !== 'undefined' && __DEV__,
    hasUpdates: native ? native.isEnabled === true : undefined,
    launch: {
      updateUuid: native?.isEmbeddedLaunch === true ? null : (native?.updateId?.toLowerCase() ?? null),
      isEmergencyLaunch: native?.isEmergencyLaunch ?? false,
      emergencyLaunchReason: native?.emergencyLaunchReason ?? null,
    },
    storage: asyncStorage,
    locks: isWeb ? (globalThis.navigator as Partial<Navigator> | undefined)?.locks : undefined,
    appState: isAhead ? { currentState: 'background', addEventListener: () => undefined } : AppState,
    readLog: async (maxAgeMs) => (await native?.readLogEntriesAsync?.(maxAgeMs)) ?? [],
    fetch: (url, init) => (isAhead ? Promise.reject(new Error('no request is made for a page that is rendered ahead')) : fetch(url, init)),
  };
}

function named(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
