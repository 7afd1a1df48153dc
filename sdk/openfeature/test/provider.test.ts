import * as server from '@openfeature/server-sdk';
import * as web from '@openfeature/web-sdk';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { WaftServerProvider } from '../src/server.js';
import { WaftWebProvider } from '../src/web.js';
import { FakeServer, flag, options } from './fixture.js';

let waft: FakeServer;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-03-14T12:00:00Z') });
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  waft = new FakeServer();
});

afterEach(async () => {
  waft.failing = undefined;
  await server.OpenFeature.clearProviders();
  await web.OpenFeature.clearProviders();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

let domains = 0;

/** Sets a provider for servers, and returns a client with the names of the events that it emits, and the outcome of setting it. */
function begin(more: object = {}) {
  const domain = `domain ${++domains}`;
  const client = server.OpenFeature.getClient(domain);
  const told: string[] = [];
  for (const event of Object.values(server.ProviderEvents)) {
    client.addHandler(event, (details) => {
      const { flagsChanged = [] } = details as { flagsChanged?: string[] };
      told.push([event.slice('PROVIDER_'.length), ...flagsChanged].join(' '));
    });
  }
  told.length = 0; // the SDK's default provider is ready immediately
  const setting = server.OpenFeature.setProviderAndWait(domain, new WaftServerProvider({ ...options, ...more }));
  return { client, told, setting };
}

/** Sets a provider for servers that must become ready. */
async function start(more: object = {}) {
  const begun = begin(more);
  await begun.setting;
  return begun;
}

/** Sets a provider for servers that must fail. */
async function fail(more: object = {}) {
  const begun = begin(more);
  await expect(begun.setting).rejects.toThrow('https://waft.example');
  return begun;
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('flags are polled with their ETag, and changes are told', async () => {
  const { client, told } = await start();
  expect(await client.getBooleanDetails('dark', true, {})).toMatchObject({ value: false, variant: 'Off', reason: 'DEFAULT' });
  await pass(10_000);
  expect(waft.asked).toEqual([null, '"1"']);
  waft.publish(flag({ defaultValue: true }), flag({ key: 'new' }));
  await pass(10_000);
  expect(await client.getBooleanValue('dark', false)).toBe(true);
  expect(told).toEqual(['READY', 'CONFIGURATION_CHANGED dark new']);
});

test('a server that is away makes the flags stale, and its return ready', async () => {
  const { client, told } = await start();
  waft.failing = 'refused';
  await pass(90_000);
  expect(client.providerStatus).toBe('STALE');
  expect(await client.getBooleanDetails('dark', true)).toMatchObject({ value: false, reason: 'DEFAULT' });
  waft.failing = undefined;
  waft.publish(flag({ defaultValue: true }));
  await pass(10_000);
  expect(client.providerStatus).toBe('READY');
  expect(told).toEqual(['READY', 'STALE', 'READY', 'CONFIGURATION_CHANGED dark']);
});

test.each([500, 404, 'lost', 'refused'] as const)('a server that fails from the start (%s) lets evaluations have their defaults', async (failing) => {
  waft.failing = failing;
  const { client } = await fail();
  expect(client.providerStatus).toBe('ERROR');
  expect(await client.getBooleanDetails('dark', true)).toMatchObject({ value: true, reason: 'ERROR', errorCode: 'PROVIDER_NOT_READY' });
  waft.failing = undefined;
  await pass(10_000);
  expect(client.providerStatus).toBe('READY');
  expect(await client.getBooleanValue('dark', true)).toBe(false);
});

test('an answer that is no JSON, or does not come, is a failure', async () => {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('<html>')));
  expect((await fail()).client.providerStatus).toBe('ERROR');
  vi.stubGlobal('fetch', (_: string, { signal }: RequestInit) => new Promise((_, reject) => {
    signal?.addEventListener('abort', () => { reject(new Error('aborted')); });
  }));
  const failing = fail();
  await pass(4_000);
  expect((await failing).client.providerStatus).toBe('ERROR');
});

test('Retry-After is kept to', async () => {
  waft.failing = 503;
  waft.retryAfter = '40';
  await fail();
  waft.failing = undefined;
  await pass(39_000);
  expect(waft.asked).toEqual([]);
  await pass(1_000);
  expect(waft.asked).toHaveLength(1);
});

test('the stream tells changes at once, and is opened again after silence', async () => {
  const { told } = await start({ stream: true, pollIntervalMs: 3_600_000 });
  await pass(0);
  waft.tell('event: definitions\ndata: {"version":"1"}\n\n: heartbeat\n\n');
  await pass(0);
  expect(waft.asked).toHaveLength(1);
  waft.publish(flag({ defaultValue: true }));
  waft.tell('event: definitions\nda');
  waft.tell('ta: {"version":"1+"}\n\n');
  await pass(0);
  expect(told).toEqual(['READY', 'CONFIGURATION_CHANGED dark']);
  await pass(45_000);
  expect(waft.streams).toHaveLength(0);
  await pass(1_000);
  expect(waft.streams).toHaveLength(1);
});

test('streams that end at once are opened less and less often', async () => {
  await start({ stream: true, pollIntervalMs: 3_600_000 });
  let opened = 0;
  for (let second = 0; second < 600; second++) {
    await pass(1_000);
    waft.tell('event: definitions\ndata: {"version":"1"}\n\n');
    for (const stream of waft.streams.splice(0)) {
      opened++;
      stream.close();
    }
  }
  expect(opened).toBeGreaterThan(5);
  expect(opened).toBeLessThan(25);
});

test('the body of a failure is not left to arrive', async () => {
  const signals: (AbortSignal | null | undefined)[] = [];
  vi.stubGlobal('fetch', (_: string, { signal }: RequestInit) => {
    signals.push(signal);
    return Promise.resolve(new Response(new ReadableStream(), { status: 500 }));
  });
  await fail();
  expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
});

test('errors of evaluations come with the default', async () => {
  const { client } = await start();
  expect(await client.getBooleanDetails('nothing', true)).toMatchObject({ value: true, errorCode: 'FLAG_NOT_FOUND' });
  expect(await client.getNumberDetails('dark', 4)).toMatchObject({ value: 4, errorCode: 'TYPE_MISMATCH' });
  expect(await client.getBooleanDetails('dark', true, { channel: 'staging' })).toMatchObject({ value: true, errorCode: 'INVALID_CONTEXT' });
  expect(await client.getBooleanDetails('dark', true, { platform: 7 })).toMatchObject({ value: true, errorCode: 'INVALID_CONTEXT' });
});

test('the settings stand in for what the context does not name', async () => {
  const values = ['platform', 'runtimeVersion', 'deviceId', 'targetingKey', 'ota.update_id'].map((attribute) =>
    flag({ key: attribute.toLowerCase(), rules: [{ ruleType: 'attribute', variantValue: true, ruleConfig: { conditions: [{ attribute, operator: 'exists', values: [] }] } }] }));
  waft.publish(...values);
  const all = async (client: server.Client, context: server.EvaluationContext = {}) =>
    Promise.all(values.map(({ key }) => client.getBooleanValue(key, false, context)));
  const { client } = await start();
  expect(await all(client)).toEqual([false, false, false, false, false]);
  expect(await all(client, { platform: 'ios', runtimeVersion: '1', deviceId: 'd', update_id: 'u' })).toEqual([true, true, true, true, true]);
  const settled = await start({ platform: 'web', runtimeVersion: '1', deviceId: 'd', updateUuid: '8B0B1C1E-6d7a-4f7e-9a49-6d7d9f0c7a11' });
  expect(await all(settled.client)).toEqual([true, true, true, true, true]);
});

describe('reports', () => {
  const evaluate = async (client: server.Client, ...users: string[]) => {
    for (const targetingKey of users) await client.getBooleanValue('dark', true, { targetingKey });
  };
  const counted = () => waft.reports.flatMap((r) => r.evaluations).reduce((sum, e) => sum + (e.count as number), 0);

  test('are batched, and count each evaluation once', async () => {
    const { client } = await start();
    await evaluate(client, 'ada', 'ada', 'bob', '', 'x'.repeat(257));
    expect(waft.reports).toEqual([]);
    await pass(30_000);
    const entry = { flagKey: 'dark', value: false, lastEvaluatedAt: '2026-03-14T12:00:00.000Z' };
    expect(waft.reports).toEqual([{ projectSlug: 'shop', channel: 'production', evaluations: [
      { ...entry, targetingKey: 'ada', count: 2 }, { ...entry, targetingKey: 'bob', count: 1 }, { ...entry, count: 2 },
    ] }]);
    await pass(60_000);
    expect(waft.reports).toHaveLength(1);
  });

  test('are sent when the provider is closed', async () => {
    const { client } = await start({ deviceId: 'd1' });
    await evaluate(client, 'ada', '');
    await server.OpenFeature.clearProviders();
    expect(waft.reports[0]?.evaluations.map((e) => [e.targetingKey, e.context])).toEqual([['ada', undefined], ['d1', { kind: 'device' }]]);
  });

  test.each([429, 503, 'refused'] as const)('that the server did not take (%s) are sent again', async (failing) => {
    const { client } = await start({ pollIntervalMs: 3_600_000 });
    await evaluate(client, 'ada');
    waft.failing = failing;
    await pass(30_000);
    await evaluate(client, 'ada');
    waft.failing = undefined;
    await pass(60_000);
    expect(counted()).toBe(2);
    expect(waft.reports).toHaveLength(1);
  });

  test('whose answer was lost are not sent again', async () => {
    const { client } = await start({ pollIntervalMs: 3_600_000 });
    await evaluate(client, 'ada', 'ada');
    waft.failing = 'lost';
    await pass(30_000);
    waft.failing = undefined;
    await evaluate(client, 'bob');
    await pass(60_000);
    expect(counted()).toBe(3);
  });

  test('wait until the server is back', async () => {
    const { client } = await start();
    waft.failing = 'lost';
    await pass(15_000);
    await evaluate(client, 'ada');
    await pass(300_000);
    waft.failing = undefined;
    expect(counted()).toBe(0);
    await pass(60_000);
    expect(counted()).toBe(1);
  });

  test('are bounded in entries and in memory', async () => {
    const { client } = await start();
    await evaluate(client, ...Array.from({ length: 6000 }, (_, i) => `user-${i}`));
    await pass(30_000);
    expect(counted()).toBe(6000);
    expect(waft.reports.flatMap((r) => r.evaluations)).toHaveLength(5001);
    for (const report of waft.reports) expect(report.evaluations.length).toBeLessThanOrEqual(500);
  });
});

test('a web page evaluates for the context that is set', async () => {
  waft.publish(flag({ rules: [{ ruleType: 'user_list', variantValue: true, ruleConfig: { userIds: 'ada' } }] }));
  await web.OpenFeature.setProviderAndWait(new WaftWebProvider(options));
  const client = web.OpenFeature.getClient();
  expect(client.getBooleanDetails('dark', true)).toMatchObject({ value: false, variant: 'Off', reason: 'DEFAULT' });
  await web.OpenFeature.setContext({ targetingKey: 'ada' });
  expect(client.getBooleanDetails('dark', false)).toMatchObject({ value: true, variant: 'On', reason: 'TARGETING_MATCH' });
});

test('a page that is hidden reports what it evaluated', async () => {
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  vi.stubGlobal('document', page);
  await web.OpenFeature.setProviderAndWait(new WaftWebProvider(options));
  web.OpenFeature.getClient().getBooleanValue('dark', true);
  page.visibilityState = 'hidden';
  page.dispatchEvent(new Event('visibilitychange'));
  await pass(0);
  expect(waft.reports).toHaveLength(1);
});

test('a web page whose server is away has its defaults', async () => {
  waft.failing = 'lost';
  await expect(web.OpenFeature.setProviderAndWait(new WaftWebProvider(options))).rejects.toThrow('https://waft.example');
  const client = web.OpenFeature.getClient();
  expect(client.providerStatus).toBe('ERROR');
  expect(client.getBooleanDetails('dark', true)).toMatchObject({ value: true, errorCode: 'PROVIDER_NOT_READY' });
});

test.each<[object, string]>([
  [{ url: undefined }, 'WaftServerProvider: "url" must be an http or https address, such as https://waft.example.com'],
  [{ url: 'waft.example' }, '"url"'], [{ url: 'ftp://waft' }, '"url"'], [{ url: 'https://waft?x' }, '"url"'],
  [{ project: '' }, '"project"'], [{ channel: undefined }, '"channel"'], [{ channel: 7 }, '"channel"'], [{ platform: 'linux' }, '"platform"'],
  [{ runtimeVersion: 1 }, '"runtimeVersion"'], [{ updateUuid: 'latest' }, '"updateUuid"'], [{ deviceId: ' ' }, '"deviceId"'],
  [{ pollIntervalMs: 0 }, '"pollIntervalMs"'], [{ pollIntervalMs: NaN }, '"pollIntervalMs"'], [{ pollIntervalMs: 2 ** 31 }, '"pollIntervalMs"'],
  [{ stream: 'yes' }, '"stream"'], [{ pollInterval: 5 }, '"pollInterval" is not a setting'],
  [{ url: '', stream: 1 }, '"url" must be an http or https address, such as https://waft.example.com; "stream" must be true or false'],
])('bad settings %j throw a sentence that names them', (wrong, sentence) => {
  expect(() => new WaftServerProvider({ ...options, ...wrong })).toThrow(sentence);
  expect(() => new WaftWebProvider({ ...options, ...wrong })).toThrow(sentence.replace('Server', 'Web'));
});
