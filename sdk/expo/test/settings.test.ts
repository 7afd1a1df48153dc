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
  ['a url with a query', { url: 'https://ota.test?x', project: 'p' }, {}, /url must be an address/],
  ['a url of updates', { url: 'https://ota.test/v1/ota/manifest/p', project: 'p' }, {}, /url must be an address .*without "\/v1\/ota"/],
  ['a name that is not encoded', {}, { updatesUrl: 'https://ota.test/v1/ota/manifest/%E0%A4' }, /project is missing/],
  ['an empty channel', { channel: ' ' }, {}, /channel must be the name of a channel, not " "/],
  ['an empty device', { deviceId: '' }, {}, /deviceId must be the id of a device, not ""/],
])('says what is wrong with %s', (_name, options, change, message) => {
  expect(() => targetOf(options, { ...app, ...change })).toThrow(message);
});

it.each<[string, unknown]>([
  ['url', 5], ['project', null], ['channel', 7], ['runtimeVersion', {}], ['enabled', 'yes'], ['storage', {}], ['storage', null],
  ['beforeSend', true], ['freezeFlags', 1], ['onRestart', 'later'], ['chanel', 'production'],
])('names the option %s when its value is %j', (name, value) => {
  expect(() => targetOf({ [name]: value }, app)).toThrow(new RegExp(`^@waft/expo: ${name} (must|is not a setting)`));
});
