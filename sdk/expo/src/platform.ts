import AsyncStorage from '@react-native-async-storage/async-storage';
import { requireOptionalNativeModule } from 'expo';
import Constants from 'expo-constants';
import * as ExpoUpdates from 'expo-updates';
import { AppState, Platform as NativePlatform } from 'react-native';
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
  /** True if expo-updates is enabled. */
  hasUpdates: boolean;
  launch: Launch;
  storage: KeyValueStorage;
  /** Locks between the tabs of a browser. Undefined if an app runs only once, and in pages without https. */
  locks: Locks | undefined;
  appState: AppStateSource;
  readLog(maxAgeMs: number): Promise<LogEntry[]>;
  fetch: Fetch;
}

declare const __DEV__: boolean | undefined;

/** Returns the platform of the running app. */
export function thisApp(): Platform {
  const isWeb = NativePlatform.OS === 'web';
  // True while a page is prerendered by a build or a server, where it is not visible.
  const isAhead = isWeb && typeof document === 'undefined';
  const config = Constants.expoConfig;
  const headers = config?.updates?.requestHeaders as Record<string, string> | undefined;
  const ownVersion = typeof config?.runtimeVersion === 'string' ? config.runtimeVersion : config?.version;
  return {
    os: NativePlatform.OS,
    settings: {
      updatesUrl: config?.updates?.url,
      // On the web expo-updates has no settings.
      channel: named(ExpoUpdates.channel) ?? headers?.['expo-channel-name'] ?? headers?.['client-channel-name'],
      runtimeVersion: named(ExpoUpdates.runtimeVersion) ?? ownVersion,
    },
    deviceId: requireOptionalNativeModule<{ clientID?: string }>('EASClient')?.clientID?.toLowerCase(),
    isDevelopment: typeof __DEV__ !== 'undefined' && __DEV__,
    hasUpdates: !isWeb && ExpoUpdates.isEnabled,
    launch: {
      updateUuid: ExpoUpdates.isEmbeddedLaunch ? null : (ExpoUpdates.updateId ?? null),
      isEmergencyLaunch: ExpoUpdates.isEmergencyLaunch,
      emergencyLaunchReason: ExpoUpdates.emergencyLaunchReason,
    },
    storage: AsyncStorage,
    locks: isWeb ? (globalThis.navigator as Partial<Navigator> | undefined)?.locks : undefined,
    appState: isAhead ? { currentState: 'background', addEventListener: () => undefined } : AppState,
    readLog: (maxAgeMs) => ExpoUpdates.readLogEntriesAsync(maxAgeMs),
    fetch: (url, init) => (isAhead ? Promise.reject(new Error('no request is made for a page that is rendered ahead')) : fetch(url, init)),
  };
}

function named(text: string | null): string | undefined {
  return text === null || text === '' ? undefined : text;
}
