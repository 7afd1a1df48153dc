import { beforeEach, expect, it, vi } from 'vitest';

const module = {
  addListener: () => ({ remove: () => undefined }), initialContext: {}, isEnabled: true, channel: 'staging', runtimeVersion: '7',
  isEmbeddedLaunch: false, updateId: '6F6F2F0E-5B7E-4F4E-8F36-2F3F9D4D1C11', isEmergencyLaunch: true, emergencyLaunchReason: 'broken',
  readLogEntriesAsync: (maxAgeMs: number) => Promise.resolve([{ timestamp: maxAgeMs, message: 'm', code: 'None', level: 'error' }]),
};

beforeEach(() => {
  vi.resetModules();
});

/** Returns what the package and the real expo-updates find in a native module. */
async function found(native: object) {
  const { nativeModules } = await import('./doubles/expo-modules-core');
  nativeModules.ExpoUpdates = native;
  const { thisApp } = await import('../src/platform');
  return { own: thisApp(), real: await import('expo-updates') };
}

it.each([module, { ...module, isEmbeddedLaunch: true }, { ...module, isEnabled: false, updateId: undefined }])(
  'finds in the native module what expo-updates finds there: %#',
  async (native) => {
    const { own, real } = await found(native);
    expect(own.hasUpdates).toBe(real.isEnabled);
    expect(own.settings).toMatchObject({ channel: real.channel, runtimeVersion: real.runtimeVersion });
    expect(own.launch).toEqual({
      updateUuid: real.isEmbeddedLaunch ? null : real.updateId,
      isEmergencyLaunch: real.isEmergencyLaunch, emergencyLaunchReason: real.emergencyLaunchReason,
    });
    expect(await own.readLog(42)).toEqual(await real.readLogEntriesAsync(42));
  },
);

it('runs in an app without expo-updates', async () => {
  const { nativeModules } = await import('./doubles/expo-modules-core');
  delete nativeModules.ExpoUpdates;
  const { thisApp } = await import('../src/platform');
  const own = thisApp();
  expect([own.hasUpdates, own.launch.updateUuid, await own.readLog(42)]).toEqual([undefined, null, []]);
  expect(own.settings).toMatchObject({ channel: 'production', runtimeVersion: '1.0.0' }); // From the app config.
});
