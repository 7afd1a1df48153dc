import { expect, it } from 'vitest';
import { targetOf, type WaftOptions } from '../src/settings';

const app = { updatesUrl: 'https://ota.test/base/v1/ota/manifest/my-app', channel: 'staging', runtimeVersion: '1.2.0' };

it('takes what the app config says', () => {
  expect(targetOf({}, app)).toEqual({ url: 'https://ota.test/base', project: 'my-app', channel: 'staging', runtimeVersion: '1.2.0' });
});

it('prefers options', () => {
  const options = { url: 'http://localhost:8080/', project: 'p', channel: 'c', runtimeVersion: '2' };
  expect(targetOf(options, app)).toEqual({ ...options, url: 'http://localhost:8080' });
});

it.each<[string, WaftOptions, Partial<typeof app>, RegExp]>([
  ['no url', {}, { updatesUrl: '' }, /url is missing.*"updates\.url" is not set/],
  ['a url of another service', {}, { updatesUrl: 'https://u.expo.dev/1' }, /"updates\.url" is "https:\/\/u\.expo\.dev\/1".*pass url/],
  ['no project', { url: 'https://ota.test' }, { updatesUrl: '' }, /project is missing/],
  ['a url that is none', { url: 'ota.test', project: 'p' }, {}, /url must be an address/],
  ['no runtime version', {}, { runtimeVersion: '' }, /runtimeVersion is missing/],
  ['an empty channel', { channel: ' ' }, {}, /channel must not be empty/],
  ['an empty device', { deviceId: '' }, {}, /deviceId must not be empty/],
])('says what is wrong with %s', (_name, options, change, message) => {
  expect(() => targetOf(options, { ...app, ...change })).toThrow(message);
});
