import type { ErrorDetails, WaftOptions } from '@waft/expo';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { minute, pass } from '../app';
import { endPhone, makePhone, type Phone } from './phone';

let phone: Phone;

beforeEach(() => {
  phone = makePhone();
});

afterEach(async () => {
  await endPhone(phone);
});

it('has functions that an app can pass on without their object', async () => {
  const { waft } = await phone.begin();
  const { captureException, track, setUser, addBreadcrumb, flush } = waft.health;
  await Promise.reject(new Error('no price')).catch(captureException);
  setUser({ id: 'ada' });
  addBreadcrumb({ message: 'Basket' });
  track('opened');
  const { subscribe, check } = waft.updates;
  subscribe(() => undefined)();
  await Promise.all([check(), flush(), pass(minute)]);
  expect(phone.server.counts()).toEqual({ app_launch: 1, 'js_error no price': 1, 'custom opened': 1 });
});

it.each<[string, ErrorDetails | string]>([
  ['as React gives them to a boundary', { componentStack: null }],
  ['without tags', { tags: null }],
  ['with a fatality that is not a boolean', { isFatal: 0 as never }],
  ['with a component stack that is not a text', { componentStack: 5 as never }],
  ['that are a text', 'basket'],
])('reports an error with details %s', async (_name, details) => {
  const { waft } = await phone.begin();
  waft.health.captureException(new Error('no price'), details as ErrorDetails);
  await pass(minute);
  expect(phone.server.counts()).toEqual({ app_launch: 1, 'js_error no price': 1 });
  expect(phone.server.reports[0]?.events[1]).toMatchObject({ isFatal: false });
});

it('makes a crash of an error whose fatality is not a boolean, because the server refuses a report with another value', async () => {
  const { waft } = await phone.begin();
  waft.health.captureException(new Error('no price'), { isFatal: 'yes' as never });
  await pass(minute);
  expect(phone.server.reports.flatMap(({ events }) => events)).toMatchObject([{ type: 'app_launch' }, { type: 'crash', isFatal: true }]);
});

it('reports a value whose properties cannot be read, and an event whose name is not a text', async () => {
  const { waft } = await phone.begin();
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  waft.health.captureException(proxy);
  waft.health.track(404 as never, null as never);
  await pass(minute);
  expect(phone.server.counts()).toEqual({ app_launch: 1, 'js_error a value that cannot be printed': 1, 'custom 404': 1 });
});

it('is told that a release build with a disabled expo-updates does not report, unless the app has chosen', async () => {
  const told: { code: string; message: string }[] = [];
  const disable = async (): Promise<void> => {
    const { nativeModules } = await import('../doubles/expo-modules-core');
    nativeModules.ExpoUpdates = Object.assign({}, nativeModules.ExpoUpdates, { isEnabled: false });
  };
  const begin = async (options: WaftOptions): Promise<void> => {
    await phone.begin({ onError: (error) => told.push(error), ...options }, disable);
    await pass(minute);
  };
  await begin({});
  expect(told).toEqual([{ code: 'updates_disabled', message: expect.stringMatching(/expo-updates is disabled.*does not report.*enabled: true/) as string }]);
  expect(phone.server.counts()).toEqual({});
  await begin({ enabled: true });
  await begin({ enabled: false });
  expect(told).toHaveLength(1);
  expect(phone.server.counts()).toEqual({ app_launch: 1 });
});
