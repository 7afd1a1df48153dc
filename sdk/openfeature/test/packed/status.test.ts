import * as server from '@openfeature/server-sdk';
import { WaftServerProvider } from '@waft/openfeature/server';
import { WaftWebProvider } from '@waft/openfeature/web';
import * as web from '@openfeature/web-sdk';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { FakeServer, flag, options } from '../fixture.js';

const second = 1000;
const address = 'https://waft.example/v1/ota/flag-definitions/shop?channel=production';

let waft: FakeServer;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-03-14T12:00:00Z') });
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  vi.spyOn(console, 'error').mockReturnValue(); // the SDK's log
  waft = new FakeServer();
});

afterEach(async () => {
  waft.failing = undefined;
  await server.OpenFeature.clearProviders();
  await web.OpenFeature.clearProviders();
  await web.OpenFeature.clearContexts();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

let domains = 0;

/** Sets a provider, and returns its client, the events that the client has received, and the outcome of setting it. */
function start(kind: 'web' | 'server', more: object = {}) {
  const domain = `domain ${++domains}`;
  const settings = { ...options, ...more };
  const inPage = web.OpenFeature.getClient(domain);
  const inServer = server.OpenFeature.getClient(domain);
  const told: string[] = [];
  const messages: (string | undefined)[] = [];
  const listen = (event: string) => (details?: { message?: string }) => {
    told.push(event.slice('PROVIDER_'.length));
    messages.push(details?.message);
  };
  if (kind === 'web') for (const event of Object.values(web.ProviderEvents)) inPage.addHandler(event, listen(event));
  else for (const event of Object.values(server.ProviderEvents)) inServer.addHandler(event, listen(event));
  told.length = messages.length = 0; // the SDK's default provider is ready immediately
  let outcome = 'waiting';
  const setting = kind === 'web'
    ? web.OpenFeature.setProviderAndWait(domain, new WaftWebProvider(settings))
    : server.OpenFeature.setProviderAndWait(domain, new WaftServerProvider(settings));
  void setting.then(() => (outcome = 'done'), (error: unknown) => (outcome = (error as Error).message));
  return {
    client: kind === 'web' ? inPage : inServer, told, messages, outcome: () => outcome,
    setContext: (context: web.EvaluationContext) => web.OpenFeature.setContext(domain, context),
  };
}

describe.each(['web', 'server'] as const)('the provider for %s', (kind) => {
  test.each([
    [404, `${address} answered 404: channel "production" does not exist in this project`],
    [500, `${address} answered 500`],
    ['lost', `${address} could not be read: fetch failed`],
  ] as const)('is in error immediately, and never ready before, if its first request fails with %s', async (failing, message) => {
    waft.failing = failing;
    waft.detail = failing === 404 ? 'channel "production" does not exist in this project' : '';
    const { client, told, messages, outcome } = start(kind);
    await pass(0);
    expect(client.providerStatus).toBe('ERROR');
    expect(told).toEqual(['ERROR']);
    expect(messages).toEqual([message]);
    expect(outcome()).toBe(message);
    waft.failing = undefined;
    await pass(10 * second);
    expect(client.providerStatus).toBe('READY');
    expect(told).toEqual(['ERROR', 'READY']);
  });

  test('is in error within five seconds without an answer, and ready when the answer comes', async () => {
    waft.failing = 'hanging';
    const { client, told, messages } = start(kind);
    await pass(3 * second);
    expect(client.providerStatus).toBe('NOT_READY');
    await pass(2 * second);
    expect(client.providerStatus).toBe('ERROR');
    expect(messages).toEqual([`${address} did not respond yet`]);
    waft.release();
    await pass(0);
    expect(client.providerStatus).toBe('READY');
    expect(told).toEqual(['ERROR', 'READY']);
    expect(await client.getBooleanDetails('dark', true)).toMatchObject({ value: false, reason: 'DEFAULT' });
  });

  test('tells another reason when the reason of its error changes', async () => {
    waft.failing = 'lost';
    const { told, messages } = start(kind);
    await pass(0);
    waft.failing = 404;
    waft.detail = 'the project does not exist';
    await pass(60 * second);
    expect(told).toEqual(['ERROR', 'ERROR']);
    expect(messages[1]).toBe(`${address} answered 404: the project does not exist`);
  });

  test('is stale after 90 seconds without contact, not after a failed request, and then ready again', async () => {
    const { client, told, messages } = start(kind);
    await pass(0);
    waft.failing = 503;
    await pass(89 * second);
    expect(client.providerStatus).toBe('READY');
    await pass(second);
    expect(client.providerStatus).toBe('STALE');
    expect(messages[1]).toBe(`${address} answered 503`);
    expect(await client.getBooleanDetails('dark', true)).toMatchObject({ value: false, reason: 'DEFAULT' });
    waft.failing = undefined;
    await pass(10 * second);
    expect(client.providerStatus).toBe('READY');
    expect(told).toEqual(['READY', 'STALE', 'READY']);
  });

  test('is stale after 90 seconds of requests that hang', async () => {
    const { client, messages } = start(kind);
    await pass(0);
    waft.failing = 'hanging';
    await pass(90 * second);
    expect(client.providerStatus).toBe('STALE');
    expect(messages[1]).toBe(`${address} could not be read: no response within 10 seconds`);
  });

  test('is current while the stream works, even if requests fail', async () => {
    const { client, told } = start(kind, { stream: true });
    await pass(0);
    waft.tell('event: definitions\ndata: {"version":"1"}\n\n');
    waft.failing = 503;
    for (let i = 0; i < 20; i++) {
      await pass(15 * second);
      waft.tell(': heartbeat\n\n');
    }
    expect(told).toEqual(['READY']);
    await pass(90 * second);
    expect(client.providerStatus).toBe('STALE');
  });

  test('is stale while the stream works, but its newer flags cannot be read', async () => {
    const { client, told } = start(kind, { stream: true });
    await pass(0);
    waft.publish(flag({ defaultValue: true }));
    waft.failing = 503;
    waft.tell('event: definitions\ndata: {"version":"1+"}\n\n');
    for (let i = 0; i < 6; i++) {
      await pass(15 * second);
      waft.tell(': heartbeat\n\n');
    }
    expect(client.providerStatus).toBe('STALE');
    waft.failing = undefined;
    await pass(10 * second);
    expect(told).toEqual(['READY', 'STALE', 'READY', 'CONFIGURATION_CHANGED']);
  });

  test('is stale while a connection sends data that are not from the stream of flags', async () => {
    const { client } = start(kind, { stream: true, pollIntervalMs: 3600 * second });
    await pass(0);
    waft.tell('event: definitions\ndata: {"version":"1"}\n\n');
    await pass(0);
    for (const stream of waft.streams.splice(0)) stream.close();
    for (let i = 0; i < 9; i++) {
      expect(client.providerStatus).toBe('READY');
      await pass(10 * second);
      waft.tell('<html>\n\n');
    }
    expect(client.providerStatus).toBe('STALE');
  });

  test('is ready again when the stream opens and announces the known flags', async () => {
    const { client } = start(kind, { stream: true, pollIntervalMs: 3600 * second });
    await pass(0);
    waft.tell('event: definitions\ndata: {"version":"1"}\n\n');
    waft.failing = 'lost';
    await pass(140 * second);
    expect(client.providerStatus).toBe('STALE');
    waft.failing = undefined;
    await pass(60 * second);
    waft.tell('event: definitions\ndata: {"version":"1"}\n\n');
    await pass(0);
    expect(client.providerStatus).toBe('READY');
    expect(waft.asked).toHaveLength(1);
  });

  test.each([2 ** 31 - 1, 3600 * second])('is not stale between two requests that are %d milliseconds apart', async (pollIntervalMs) => {
    vi.mocked(Math.random).mockReturnValue(0.99); // the longest time between two requests
    const { client, told } = start(kind, { pollIntervalMs });
    await pass(0);
    await pass(3500 * second);
    expect(waft.asked).toHaveLength(1);
    expect(told).toEqual(['READY']);
    waft.failing = 'lost';
    await pass(Math.min(4000 * second, pollIntervalMs));
    expect(client.providerStatus).toBe(pollIntervalMs > 4000 * second ? 'READY' : 'STALE');
  });
});

describe('a change of the context', () => {
  test('needs no request, and leaves a ready provider ready', async () => {
    const { client, told, setContext } = start('web');
    await pass(0);
    await setContext({ targetingKey: 'ada' });
    expect(client.providerStatus).toBe('READY');
    expect(told).toEqual(['READY', 'CONTEXT_CHANGED']);
    expect(waft.asked).toHaveLength(1);
  });

  test('leaves a provider in error in error', async () => {
    waft.failing = 'lost';
    const { client, told, messages, setContext } = start('web');
    await pass(0);
    await setContext({ targetingKey: 'ada' });
    expect(client.providerStatus).toBe('ERROR');
    expect(told).toEqual(['ERROR', 'RECONCILING', 'ERROR']);
    expect(messages[2]).toContain('could not be read: fetch failed');
    waft.failing = undefined;
    await pass(10 * second);
    expect(client.providerStatus).toBe('READY');
    await setContext({ targetingKey: 'bob' });
    expect(told.slice(3)).toEqual(['READY', 'CONTEXT_CHANGED']);
  });

  test('leaves a stale provider stale', async () => {
    const { client, told, setContext } = start('web');
    await pass(0);
    waft.failing = 'lost';
    await pass(90 * second);
    await setContext({ targetingKey: 'ada' });
    expect(client.providerStatus).toBe('STALE');
    expect(told).toEqual(['READY', 'STALE', 'CONTEXT_CHANGED', 'STALE']);
    waft.failing = undefined;
    await pass(10 * second);
    expect(client.providerStatus).toBe('READY');
  });

  test.each([['READY', true], ['ERROR', false]] as const)('before the first answer waits for it (%s)', async (status, comes) => {
    waft.failing = 'hanging';
    const { client, told, setContext } = start('web');
    const changing = setContext({ targetingKey: 'ada' });
    await pass(second);
    expect(client.providerStatus).toBe('RECONCILING');
    if (comes) waft.release();
    await pass(4 * second);
    await changing;
    expect(client.providerStatus).toBe(status);
    expect(told).not.toContain(comes ? 'ERROR' : 'READY');
  });
});

test.each(['web', 'server'] as const)('a provider for %s that is closed before the first answer tells nothing later', async (kind) => {
  waft.failing = 'hanging';
  const { outcome, told } = start(kind);
  await pass(second);
  await (kind === 'web' ? web : server).OpenFeature.clearProviders();
  await pass(0);
  expect(outcome()).toBe('done');
  told.length = 0;
  await pass(200 * second);
  expect(told).toEqual([]);
});
