import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FakeDevice, minute, pass } from './app';

const found = '6f6f2f0e-5b7e-4f4e-8f36-2f3f9d4d1c11';
let device: FakeDevice;
let offered: { manifest?: unknown; rollBack?: boolean } | undefined;
let checks: number;
let reloads: number;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('CompressionStream', undefined); // As in Hermes. Streams do not follow the fake clock.
  device = new FakeDevice();
  offered = undefined;
  checks = 0;
  reloads = 0;
  device.updates = {
    ...device.updates,
    checkForUpdateAsync: () => {
      checks += 1;
      return Promise.resolve({ isAvailable: offered?.manifest !== undefined, isRollBackToEmbedded: offered?.rollBack ?? false });
    },
    fetchUpdateAsync: () =>
      Promise.resolve({ isNew: !offered?.rollBack, isRollBackToEmbedded: offered?.rollBack ?? false, manifest: offered?.manifest }),
    reloadAsync: () => {
      reloads += 1;
      return Promise.resolve();
    },
  };
});

afterEach(() => {
  device.kill();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('checks at the start if expo-updates does not, and not again in the same launch', async () => {
  const { updates } = device.begin();
  await pass(1);
  expect([checks, updates.state.status]).toEqual([1, 'up_to_date']);
  device.become('background');
  device.become('active');
  await pass(1);
  expect(checks).toBe(1);
  device.become('background');
  await pass(60 * minute);
  device.become('active');
  await pass(1);
  expect(checks).toBe(1);
});

it('leaves an ordinary update to the next start', async () => {
  offered = { manifest: { id: found, metadata: {}, extra: { waft: { releaseMessage: 'faster' } } } };
  const { updates } = device.begin();
  const seen: string[] = [];
  updates.subscribe(() => seen.push(updates.state.status));
  await pass(1);
  expect(updates.state).toMatchObject({ status: 'ready', update: { updateUuid: found, isCritical: false, releaseMessage: 'faster' } });
  expect(seen).toEqual(['downloading', 'ready']);
  expect(reloads).toBe(0);
  await updates.restart();
  expect(reloads).toBe(1);
});

it.each([
  ['a critical update', { manifest: { id: found, metadata: { isCritical: true } } }],
  ['the way back to the embedded update', { rollBack: true }],
])('takes %s at once, but does not restart for it again and again', async (_name, offer) => {
  offered = offer;
  const first = device.begin();
  await pass(1);
  expect(reloads).toBe(1);
  await first.updates.check();
  expect(reloads).toBe(1);
  for (let start = 0; start < 3; start += 1) {
    const { updates } = device.begin();
    await pass(1);
    expect(reloads).toBe(1);
    expect(updates.state.status).toBe('ready');
  }
});

it('stores reports before it restarts, and the restart is no abnormal exit', async () => {
  offered = { manifest: { id: found, metadata: { isCritical: true } } };
  device.begin().health.track('last');
  await pass(1);
  expect(reloads).toBe(1);
  offered = undefined;
  device.begin();
  await pass(minute);
  expect(device.server.counts()).toEqual({ app_launch: 2, 'custom last': 1 });
});

it('lets the app put a restart off', async () => {
  offered = { manifest: { id: found, metadata: { isCritical: true } } };
  const { updates } = device.begin({ onRestart: () => false });
  await pass(1);
  expect([reloads, updates.state.status]).toEqual([0, 'ready']);
});

it('goes on when the functions of the app fail', async () => {
  offered = { manifest: { id: found, metadata: { isCritical: true } } };
  const { updates } = device.begin({
    onRestart: () => {
      throw new Error('in the hook');
    },
  });
  updates.subscribe(() => {
    throw new Error('in the listener');
  });
  expect((await updates.check()).status).toBe('ready');
  await updates.restart();
  expect(reloads).toBe(1);
  await pass(minute);
  expect(Object.keys(device.server.counts())).toEqual(expect.arrayContaining(['js_error in the hook', 'js_error in the listener']));
});

it('tells that the app must be updated in the store', async () => {
  device.server.storeUpdate = '2.0.0';
  const { updates } = device.begin();
  await pass(1);
  expect(updates.state).toMatchObject({ status: 'store_update_required', minRuntimeVersion: '2.0.0' });
});

it('fails quietly', async () => {
  device.updates.checkForUpdateAsync = () => Promise.reject(new Error('offline'));
  const { updates } = device.begin();
  await pass(1);
  expect(updates.state).toMatchObject({ status: 'failed', error: 'offline' });
});

it('is off in development', async () => {
  const { updates } = device.begin({ enabled: false });
  expect((await updates.check()).status).toBe('disabled');
  await updates.restart();
  expect([checks, reloads]).toEqual([0, 0]);
});
