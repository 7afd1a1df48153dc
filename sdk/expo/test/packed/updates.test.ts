import { createHash } from 'node:crypto';
import type { UpdatesState, Waft } from '@waft/expo';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { minute, pass } from '../app';
import { endPhone, makePhone, type Phone } from './phone';

const newUuid = '6f6f2f0e-5b7e-4f4e-8f36-2f3f9d4d1c11';
const pending = { isUpdatePending: true, update: { updateUuid: newUuid } };

let phone: Phone;

beforeEach(() => {
  phone = makePhone();
});

afterEach(async () => {
  await endPhone(phone);
});

/** Makes the server respond to manifest requests with a part of a multipart response. */
function respond(name: 'manifest' | 'directive', part: object): void {
  phone.server.offer = () =>
    new Response(`--edge\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${JSON.stringify(part)}\r\n--edge--\r\n`, {
      headers: { 'content-type': 'multipart/mixed; boundary=edge', 'expo-protocol-version': '1' },
    });
}

/** Publishes an update. */
function publish({ isCritical = false, createdAt = '2026-03-01T11:00:00Z' } = {}): void {
  const launchAsset = {
    key: newUuid, url: `https://ota.test/assets/${newUuid}`, hash: createHash('sha256').update(`/assets/${newUuid}`).digest('base64url'),
  };
  respond('manifest', { id: newUuid, createdAt, runtimeVersion: '1.0.0', launchAsset, assets: [], metadata: isCritical ? { isCritical } : {} });
}

/** Publishes the return to the embedded update. */
function publishReturn(): void {
  respond('directive', { type: 'rollBackToEmbedded', parameters: { commitTime: '2026-03-01T11:30:00Z' } });
}

/** Counts the manifest requests that expo-updates makes, including those for fetchUpdateAsync. */
const requests = (): number => phone.server.manifestRequests.filter((sender) => sender === 'expo-updates').length;

function statesOf({ updates }: Waft): UpdatesState[] {
  const seen: UpdatesState[] = [];
  updates.subscribe(() => seen.push(updates.state));
  return seen;
}

/** Checks for an update, as the app itself may do. */
async function check({ updates }: Waft): Promise<UpdatesState> {
  const [state] = await Promise.all([updates.check(), pass(1000)]);
  return state;
}

it('keeps a downloaded update ready when a later check fails, with the error', async () => {
  publish();
  const { waft } = await phone.begin();
  await pass(1000);
  expect(waft.updates.state).toMatchObject({ status: 'ready', error: undefined, ...pending });
  phone.server.network = 'off';
  const state = await check(waft);
  expect(state).toMatchObject({ status: 'ready', error: 'Network request failed', isChecking: false, isDownloading: false, ...pending });
  await pass(1000);
  expect(waft.updates.state).toEqual(state);
  phone.server.network = 'on';
  expect(await check(waft)).toMatchObject({ status: 'ready', error: undefined, ...pending });
  await waft.updates.restart();
  expect(phone.restarts).toBe(1);
});

it('has the states of expo-updates next to its status', async () => {
  publish();
  const app = await phone.begin({ enabled: true });
  const seen = statesOf(app.waft);
  await pass(1000);
  const shown = seen.map(({ status, isChecking, isDownloading, isUpdatePending }) => [status, isChecking, isDownloading, isUpdatePending]);
  expect(shown).toEqual([['downloading', false, true, false], ['ready', false, false, true]]);
});

it.each(['before', 'after'] as const)('shows what the check of expo-updates downloads %s the app starts', async (checks) => {
  phone.checks = checks;
  publish();
  const app = await phone.begin();
  const seen = statesOf(app.waft);
  expect(app.waft.updates.state.status).toBe(checks === 'before' ? 'ready' : 'checking');
  await pass(1000);
  expect(app.waft.updates.state).toMatchObject({ status: 'ready', isChecking: false, isDownloading: false, error: undefined, ...pending });
  expect(seen.map(({ status }) => status)).toEqual(checks === 'before' ? [] : ['downloading', 'ready']);
  expect(requests()).toBe(2); // expo-updates checked, and downloaded.
  phone.server.network = 'off';
  expect(await check(app.waft)).toMatchObject({ status: 'ready', error: 'Network request failed', ...pending });
  phone.server.network = 'on';
  const { waft } = await phone.begin();
  await pass(1000);
  expect(waft.updates.state).toMatchObject({ status: 'up_to_date', isUpdatePending: false });
});

it.each(['before', 'after'] as const)('restarts once for what must run immediately, downloaded %s the app starts', async (checks) => {
  phone.checks = checks;
  publish({ isCritical: true });
  await phone.begin();
  await pass(1000);
  expect(phone.restarts).toBe(1);
  publishReturn();
  const { waft } = await phone.begin();
  await pass(1000);
  expect(waft.updates.state).toMatchObject({ status: 'restarting', isUpdatePending: true, isRollBackToEmbedded: true, update: undefined });
  expect(phone.restarts).toBe(2);
  for (let start = 0; start < 2; start += 1) {
    await phone.begin();
    await pass(1000);
  }
  expect(phone.restarts).toBe(2);
});

it.each([false, true])('asks and restarts once for a critical update of its own check (events come first: %s)', async (isEventFirst) => {
  phone.isEventFirst = isEventFirst;
  publish({ isCritical: true });
  let asked = 0;
  const { waft } = await phone.begin({
    onRestart: () => {
      asked += 1;
      return true;
    },
  });
  await pass(1000);
  expect([asked, phone.restarts, waft.updates.state.status]).toEqual([1, 1, 'restarting']);
});

it.each([
  ['a critical update', () => {
    publish({ isCritical: true });
  }],
  ['the return to the embedded update', publishReturn],
])('does not call %s pending that expo-updates already runs', async (_name, offer) => {
  phone.checks = 'first';
  offer();
  const { waft } = await phone.begin();
  await pass(1000);
  expect(waft.updates.state).toMatchObject({ status: 'up_to_date', isUpdatePending: false, isRollBackToEmbedded: false });
  expect([phone.restarts, requests()]).toEqual([0, 2]);
});

it('tells that a download of expo-updates failed', async () => {
  phone.checks = 'after';
  publish();
  const { offer } = phone.server;
  const { waft } = await phone.begin();
  phone.server.offer = () => new Response('busy', { status: 503 });
  await pass(1000);
  expect(waft.updates.state).toMatchObject({ status: 'failed', error: 'the server answered 503: busy', isDownloading: false });
  phone.server.offer = offer;
  expect(await check(waft)).toMatchObject({ status: 'ready', error: undefined, ...pending });
});

it('takes what the app downloads with expo-updates', async () => {
  const { waft } = await phone.begin();
  await pass(1000);
  publish();
  const { checkForUpdateAsync, fetchUpdateAsync } = await import('expo-updates');
  const states = statesOf(waft);
  await Promise.all([checkForUpdateAsync().then(() => fetchUpdateAsync()), pass(1000)]);
  expect(waft.updates.state).toMatchObject({ status: 'ready', error: undefined, ...pending });
  expect(states.map(({ status }) => status)).toEqual(['checking', 'up_to_date', 'downloading', 'ready']);
});

it('does not check by itself when the check of expo-updates has responded, and once after a long time', async () => {
  phone.checks = 'after';
  const { waft, become } = await phone.begin();
  await pass(1000);
  expect(waft.updates.state).toMatchObject({ status: 'up_to_date', error: undefined });
  const back = async (ms: number): Promise<void> => {
    become('background');
    await pass(ms);
    become('active');
    await pass(1000);
  };
  await back(2 * minute);
  expect(requests()).toBe(1);
  await back(40 * minute);
  expect(requests()).toBe(2);
  for (let hour = 0; hour < 3; hour += 1) {
    await back(60 * minute);
  }
  expect(requests()).toBe(2);
  await check(waft);
  await check(waft);
  expect(requests()).toBe(4); // The app itself may check as often as it wants.
  waft.stop();
  waft.start();
  await back(60 * minute);
  expect(requests()).toBe(4);
});

it('checks once if the check of expo-updates failed, when the app returns', async () => {
  phone.checks = 'after';
  phone.server.network = 'off';
  const { waft, become } = await phone.begin();
  await pass(1000);
  expect(waft.updates.state).toMatchObject({ status: 'failed', error: 'Network request failed', isChecking: false });
  publish();
  phone.server.network = 'on';
  await pass(10 * minute);
  expect(waft.updates.state.status).toBe('failed');
  become('background');
  become('active');
  await pass(1000);
  expect(waft.updates.state).toMatchObject({ status: 'ready', error: undefined, ...pending });
});

it('checks at the start if expo-updates does not', async () => {
  const { waft, become } = await phone.begin();
  await pass(1000);
  expect([requests(), waft.updates.state.status]).toEqual([1, 'up_to_date']);
  for (let hour = 0; hour < 3; hour += 1) {
    become('background');
    await pass(60 * minute);
    become('active');
    await pass(1000);
  }
  expect(requests()).toBe(1);
});

it('keeps what expo-updates downloads while a check of the app fails', async () => {
  phone.checks = 'after';
  publish();
  const { waft } = await phone.begin();
  const { offer } = phone.server;
  phone.server.offer = () => {
    phone.server.offer = offer; // Only the next request fails, before expo-updates downloads what it has found.
    throw new TypeError('Network request failed');
  };
  expect((await check(waft)).error).toBe('Network request failed');
  expect(waft.updates.state).toMatchObject({ status: 'ready', error: 'Network request failed', ...pending });
});

it('asks once whether the store has a newer app, after the check of expo-updates', async () => {
  phone.checks = 'after';
  phone.server.storeUpdate = '2.0.0';
  const { waft, become } = await phone.begin();
  await pass(1000);
  expect(waft.updates.state).toMatchObject({ status: 'store_update_required', minRuntimeVersion: '2.0.0' });
  become('background');
  await pass(2 * minute);
  become('active');
  await pass(1000);
  expect(phone.server.manifestRequests).toEqual(['expo-updates', 'waft']);
});
