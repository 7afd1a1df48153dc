import { expect, it } from 'vitest';
import withWaft from '../app.plugin.cjs';

const settings = { url: 'https://ota.test/', project: 'my app', channel: 'staging' };

it('writes what expo-updates needs', () => {
  const config = { name: 'app', version: '1.4.0', updates: { fallbackToCacheTimeout: 500, requestHeaders: { 'x-own': '1' } } };
  expect(withWaft(config, settings)).toEqual({
    name: 'app', version: '1.4.0', runtimeVersion: '1.4.0',
    mods: {
      ios: { dangerous: expect.any(Function) as unknown, xcodeproj: expect.any(Function) as unknown },
      android: { appBuildGradle: expect.any(Function) as unknown },
    },
    updates: {
      enabled: true, checkAutomatically: 'ON_LOAD', fallbackToCacheTimeout: 500,
      url: 'https://ota.test/v1/ota/manifest/my%20app',
      requestHeaders: { 'x-own': '1', 'expo-channel-name': 'staging' },
    },
  });
});

it('leaves a runtime version as it is', () => {
  expect(withWaft({ runtimeVersion: '7' }, settings)).toMatchObject({ runtimeVersion: '7' });
});

it.each([
  [undefined, /"url" must be the server's address.*not undefined/],
  [{ ...settings, url: 'ota.test' }, /"url" must be/],
  [{ ...settings, url: 'https://ota.test/v1/ota/manifest/demo' }, /"url" must be .*without "\/v1\/ota"/],
  [{ url: 'https://ota.test' }, /"project" must be/],
  [{ ...settings, channel: '' }, /"channel" must be/],
  [{ ...settings, chanel: 'staging' }, /no setting "chanel"; those are "url", "project", "channel" and "uploadSourceMaps"/],
  [{ ...settings, uploadSourceMaps: 'no' }, /"uploadSourceMaps" must be true or false, not "no"/],
])('refuses %j', (options, message) => {
  expect(() => withWaft({}, options as withWaft.WaftPluginOptions)).toThrow(message);
});

it('has types that refuse a setting that it does not have', () => {
  // @ts-expect-error The name of the setting is misspelt.
  expect(() => withWaft({}, { ...settings, chanel: 'staging' })).toThrow(/no setting "chanel"/);
});
