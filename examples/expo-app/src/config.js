import * as Updates from 'expo-updates';
import Constants from 'expo-constants';
import { clientID } from 'expo-eas-client';

// The manifest URL of app.json says which server and which project this app belongs to. The app config
// in a release is the one of its build, so a release can't forget them.
const manifestUrl = Constants.expoConfig?.updates?.url ?? '';
const [, baseUrl, projectSlug] = manifestUrl.match(/^(https?:\/\/.+)\/v1\/ota\/manifest\/([^/?#]+)/) ?? [];

export const server = { baseUrl, projectSlug };

// What expo-updates itself says of the device in a manifest request: the same id, so that Waft can tell
// that a device reporting on a release is one that it served the release to.
export const device = {
  deviceId: (clientID ?? '').toLowerCase(),
  channel: Updates.channel || undefined,
  runtimeVersion: Updates.runtimeVersion ?? '',
  updateUuid: Updates.isEmbeddedLaunch ? null : Updates.updateId,
};

// False in development, where expo-updates has nothing to do.
export const isLive = Updates.isEnabled && Boolean(baseUrl && device.deviceId);
