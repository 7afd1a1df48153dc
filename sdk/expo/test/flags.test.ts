import { OpenFeature, ProviderEvents } from '@openfeature/web-sdk';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { WaftFlags } from '../src/flags';
import { Foreground } from '../src/foreground';
import type { FlagValues } from '../src/flagvalues';
import { memoryStorage, type MemoryStorage } from './memory';
import { minute, pass } from './app';

let storage: MemoryStorage;
let flags: FlagValues;
let isAway: boolean;
let bulks: Record<string, unknown>[];
let streams: { url: string; send(text: string): void; end(): void }[];
let become: (state: string) => void;

beforeEach(() => {
  vi.useFakeTimers();
  storage = memoryStorage();
  flags = { dark: on(true), limit: { value: 5, variant: 'Few', reason: 'SPLIT' }, shape: { value: { a: 1 }, reason: 'DEFAULT' } };
  isAway = false;
  bulks = [];
  streams = [];
});

afterEach(async () => {
  await OpenFeature.clearProviders();
  vi.useRealTimers();
});

const on = (value: boolean): FlagValues[string] => ({ value, variant: value ? 'On' : 'Off', reason: 'TARGETING_MATCH' });

function provider(freeze = false, deviceId = Promise.resolve('device-1')): WaftFlags {
  return new WaftFlags({
    endpoint: {
      url: 'https://ota.test', project: 'demo', channel: 'production', runtimeVersion: '1', platform: 'ios', updateUuid: 'u-1', tell: () => undefined,
      fetch: (_url, init) => {
        if (isAway) {
          return Promise.reject(new TypeError('Network request failed'));
        }
        bulks.push(JSON.parse(init?.body as string) as Record<string, unknown>);
        return Promise.resolve(Response.json({ flags }));
      },
      stream: (url, init) => {
        if (isAway) {
          return Promise.reject(new TypeError('Network request failed'));
        }
        const body = new ReadableStream<Uint8Array>({
          start: (controller) => {
            const stream = {
              url,
              send: (text: string) => {
                controller.enqueue(new TextEncoder().encode(text));
              },
              end: () => {
                controller.close();
              },
            };
            init?.signal?.addEventListener('abort', () => {
              controller.error(new Error('aborted'));
              streams = streams.filter((s) => s !== stream);
            });
            streams.push(stream);
            stream.send(`event: put\ndata: ${JSON.stringify({ flags })}\n\n`);
          },
        });
        return Promise.resolve(new Response(body));
      },
    },
    deviceId, storage, prefix: 'waft',
    foreground: new Foreground({
      currentState: 'active',
      addEventListener: (_type, listener) => {
        become = listener;
        return { remove: () => undefined };
      },
    }),
    freeze,
  });
}

async function use(p: WaftFlags, context = {}): Promise<WaftFlags> {
  const ready = OpenFeature.setProviderAndWait(p, context);
  ready.catch(() => undefined);
  await pass(5000);
  await ready;
  return p;
}

it('evaluates what the server says of the device', async () => {
  await use(provider(), { targetingKey: 'ada', plan: 'pro' });
  expect(bulks[0]).toEqual({
    projectSlug: 'demo', channel: 'production', deviceId: 'device-1', targetingKey: 'ada', platform: 'ios', runtimeVersion: '1',
    attributes: { plan: 'pro', update_id: 'u-1' },
  });
  const client = OpenFeature.getClient();
  expect(client.getBooleanDetails('dark', false)).toMatchObject({ value: true, variant: 'On', reason: 'TARGETING_MATCH' });
  expect(client.getNumberValue('limit', 0)).toBe(5);
  expect(client.getObjectValue('shape', {})).toEqual({ a: 1 });
  expect(client.getBooleanDetails('limit', false)).toMatchObject({ value: false, errorCode: 'TYPE_MISMATCH' });
  expect(client.getStringDetails('gone', 'x')).toMatchObject({ value: 'x', errorCode: 'FLAG_NOT_FOUND' });
});

it('says which flags the app has read', async () => {
  const p = await use(provider());
  OpenFeature.getClient().getBooleanValue('dark', false);
  OpenFeature.getClient().getObjectValue('shape', {});
  expect(p.states()).toEqual({ dark: 'true', shape: '{"a":1}' });
});

it('follows changes, over broken connections', async () => {
  await use(provider());
  const client = OpenFeature.getClient();
  const seen: unknown[] = [];
  client.addHandler(ProviderEvents.ConfigurationChanged, (event) => seen.push(event?.flagsChanged));
  expect(streams[0]?.url).toContain('/v1/ota/flag-stream/demo?deviceId=device-1&');
  streams[0]?.send(`event: patch\ndata: ${JSON.stringify({ key: 'dark', flag: on(false) })}\n\n`);
  await pass(1);
  expect(client.getBooleanValue('dark', true)).toBe(false);
  streams[0]?.send('event: delete\ndata: {"key":"limit"}\n\n');
  await pass(1);
  expect(client.getNumberValue('limit', 7)).toBe(7);
  flags = { dark: on(true) };
  streams[0]?.end();
  await pass(5000);
  expect(client.getBooleanValue('dark', false)).toBe(true);
  expect(seen).toEqual([['dark'], ['limit'], ['dark', 'shape']]);
});

it('connects again when the stream is silent', async () => {
  await use(provider());
  flags = { dark: on(false) };
  await pass(60_000);
  expect(OpenFeature.getClient().getBooleanValue('dark', true)).toBe(false);
});

it('has the stored values at once without a network, and then the new ones', async () => {
  await use(provider());
  await OpenFeature.clearProviders();
  isAway = true;
  flags = { dark: on(false) };
  await use(provider());
  const client = OpenFeature.getClient();
  expect(client.getBooleanDetails('dark', false)).toMatchObject({ value: true, reason: 'CACHED' });
  isAway = false;
  await pass(120_000);
  expect(client.getBooleanDetails('dark', true)).toMatchObject({ value: false, reason: 'TARGETING_MATCH' });
});

it('goes on without a storage that does not answer, and keeps to the new values when it does', async () => {
  await use(provider());
  await OpenFeature.clearProviders();
  flags = { dark: on(false) };
  const speak = storage.hush();
  await use(provider());
  const client = OpenFeature.getClient();
  expect(client.getBooleanDetails('dark', true)).toMatchObject({ value: false, reason: 'TARGETING_MATCH' });
  speak();
  await pass(minute);
  expect(client.getBooleanDetails('dark', true)).toMatchObject({ value: false, reason: 'TARGETING_MATCH' });
  expect(storage.content.get('waft/flags')).toContain('{"dark":{"value":false');
});

it('starts without network and stored values in error, with defaults', async () => {
  isAway = true;
  await expect(use(provider())).rejects.toThrow('the server did not send the flags');
  expect(OpenFeature.getClient().getBooleanValue('dark', true)).toBe(true);
});

it('does not use the stored values of somebody else', async () => {
  await use(provider(), { targetingKey: 'ada' });
  await OpenFeature.clearProviders();
  isAway = true;
  await expect(use(provider(), { targetingKey: 'eve' })).rejects.toThrow('the server did not send the flags');
  expect(OpenFeature.getClient().getBooleanValue('dark', false)).toBe(false);
});

it('asks anew for another context, and reads often when rules may depend on attributes', async () => {
  await use(provider());
  flags = { dark: on(false) };
  const changed = OpenFeature.setContext({ plan: 'pro' });
  await pass(1);
  await changed;
  expect(OpenFeature.getClient().getBooleanValue('dark', true)).toBe(false);
  expect(streams).toEqual([]);
  flags = { dark: on(true) };
  await pass(61_000);
  expect(OpenFeature.getClient().getBooleanValue('dark', false)).toBe(true);
});

it('keeps to the values that it has when something else than the server answers', async () => {
  await use(provider());
  await OpenFeature.clearProviders();
  const known = flags;
  flags = 'a page' as unknown as FlagValues;
  await use(provider());
  const client = OpenFeature.getClient();
  for (const data of ['null', '{}', '{"flags":null}', '{"flags":{"dark":1}}', '"text"', 'no JSON']) {
    for (const event of ['put', 'patch', 'delete', 'later']) {
      streams[0]?.send(`event: ${event}\ndata: ${data}\n\n`);
      await pass(1000);
    }
  }
  expect(client.getBooleanDetails('dark', false)).toMatchObject({ value: true, reason: 'CACHED' });
  expect(client.getBooleanDetails('constructor', false)).toMatchObject({ value: false, errorCode: 'FLAG_NOT_FOUND' });
  await OpenFeature.clearProviders();
  flags = known;
  storage.content.set('waft/flags', '{"identity":"[\\"\\",[]]","flags":null}');
  await use(provider());
  expect(client.getBooleanDetails('dark', false)).toMatchObject({ value: true, reason: 'TARGETING_MATCH' });
});

it('closes a connection that it cannot understand', async () => {
  await use(provider());
  streams[0]?.send('event: put\ndata: no JSON\n\n');
  await pass(5000);
  expect(streams).toHaveLength(1);
});

it('asks nobody after it was closed, whatever it waited for', async () => {
  let named: (id: string) => void = () => undefined;
  const p = provider(false, new Promise((resolve) => (named = resolve)));
  const ready = p.initialize();
  await p.onClose();
  named('device-1');
  await ready;
  await pass(5000);
  expect([bulks, streams]).toEqual([[], []]);
});

it('leaves no timer behind when it is closed', async () => {
  const p = provider();
  void p.initialize();
  await pass(1000);
  expect(streams).toHaveLength(1);
  await p.onClose();
  await pass(1);
  expect(vi.getTimerCount()).toBe(0);
});

it('connects less and less often when connections end at once', async () => {
  await use(provider());
  let connections = 0;
  for (let second = 0; second < 600; second += 1) {
    const [open] = streams.splice(0);
    if (open) {
      connections += 1;
      open.end();
    }
    await pass(1000);
  }
  expect(connections).toBeGreaterThan(5);
  expect(connections).toBeLessThan(80);
});

it('keeps no connection in the background', async () => {
  await use(provider());
  become('background');
  await pass(1);
  expect(streams).toEqual([]);
  flags = { dark: on(false) };
  become('active');
  await pass(1000);
  expect(OpenFeature.getClient().getBooleanValue('dark', true)).toBe(false);
});

it('freezes values for the session when asked', async () => {
  await use(provider(true));
  expect(streams).toEqual([]);
  flags = { dark: on(false) };
  await pass(200_000);
  const client = OpenFeature.getClient();
  expect(client.getBooleanValue('dark', false)).toBe(true);
  await OpenFeature.clearProviders();
  await use(provider(true));
  expect(client.getBooleanValue('dark', false)).toBe(true);
  await OpenFeature.clearProviders();
  await use(provider(true));
  expect(client.getBooleanValue('dark', true)).toBe(false);
});

it('ends its connection with stop until start, and is not stale meanwhile', async () => {
  for (const context of [{}, { plan: 'pro' }]) {
    const p = await use(provider(), context);
    p.stop();
    await pass(1);
    bulks = [];
    flags = { dark: on(false) };
    await pass(10 * minute);
    become('background');
    become('active');
    await pass(10 * minute);
    expect([streams, bulks, OpenFeature.getClient().providerStatus]).toEqual([[], [], 'READY']);
    p.start();
    await pass(1000);
    expect(OpenFeature.getClient().getBooleanValue('dark', true)).toBe(false);
    isAway = true;
    for (const stream of streams) {
      stream.end();
    }
    await pass(3 * minute);
    expect(OpenFeature.getClient().providerStatus).toBe('STALE');
    isAway = false;
    await OpenFeature.clearProviders();
    flags = { dark: on(true) };
  }
});

it('stores values for the next start when frozen flags come too late for this one', async () => {
  isAway = true;
  await expect(use(provider(true))).rejects.toThrow('the server did not send the flags');
  isAway = false;
  await pass(2 * minute);
  const client = OpenFeature.getClient();
  expect([client.getBooleanValue('dark', false), client.providerStatus]).toEqual([false, 'ERROR']);
  const requests = bulks.length;
  await pass(10 * minute);
  expect(bulks).toHaveLength(requests);
  await OpenFeature.clearProviders();
  isAway = true;
  await use(provider(true));
  expect([client.getBooleanValue('dark', false), client.providerStatus]).toEqual([true, 'STALE']);
  isAway = false;
  flags = { dark: on(false) };
  await pass(2 * minute);
  expect([client.getBooleanValue('dark', false), client.providerStatus]).toEqual([true, 'READY']);
});

it('does not freeze the values of an earlier context', async () => {
  await use(provider(true));
  isAway = true;
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined); // OpenFeature logs errors of providers.
  await OpenFeature.setContext({ targetingKey: 'ada' });
  log.mockRestore();
  const client = OpenFeature.getClient();
  expect([client.getBooleanValue('dark', false), client.providerStatus]).toEqual([true, 'ERROR']);
  isAway = false;
  flags = { dark: on(false) };
  await pass(2 * minute);
  expect([client.getBooleanValue('dark', true), client.providerStatus]).toEqual([false, 'READY']);
  flags = { dark: on(true) };
  await pass(10 * minute);
  expect(client.getBooleanValue('dark', true)).toBe(false);
});

it('remembers every context although the storage does not answer for a while', async () => {
  const keys = (): string[] => [...storage.content.keys()].filter((key) => key.startsWith('waft/flags/['));
  for (const targetingKey of ['u1', 'u2', 'u3', 'u4', 'u5']) {
    await use(provider(), { targetingKey });
    await OpenFeature.clearProviders();
  }
  const speak = storage.hush();
  await use(provider(), { targetingKey: 'u6' });
  speak();
  await pass(minute);
  expect(keys()).toHaveLength(5);
  expect(keys().some((key) => key.includes('u1'))).toBe(false);
});
