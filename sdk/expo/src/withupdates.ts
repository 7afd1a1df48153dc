import type { Core } from './core';
import { within } from './http';
import type { Platform } from './platform';
import type { Target, WaftOptions } from './settings';
import { DeviceUpdates, type UpdatesModule } from './updates';

const manifestTimeoutMs = 10_000;

/** Returns the updates of the core, which it creates with the options the first time. */
export function withUpdates(core: Core, options: WaftOptions, module: UpdatesModule): DeviceUpdates {
  const { platform, target, parts } = core;
  parts.updates ??= new DeviceUpdates({
    enabled: core.enabled && platform.hasUpdates === true,
    module, running: platform.launch.updateUuid, session: core.session, foreground: core.foreground, onRestart: options.onRestart,
    report: (error) => {
      parts.health?.captureException(error);
    },
    settle: async () => parts.health?.settle(),
    storeUpdate: async () => askForStoreUpdate(platform, target, await core.deviceId),
  });
  return parts.updates;
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
