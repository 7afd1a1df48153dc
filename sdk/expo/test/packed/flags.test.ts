import { OpenFeature, ProviderEvents, type EvaluationContext } from '@openfeature/web-sdk';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { minute, pass } from '../app';
import { makePhone, type Phone, type Process } from './phone';

let phone: Phone;
/** The provider's events since the last start, without its changes of values and contexts. */
let events: string[];

const { Ready, Stale, Error: Failed } = ProviderEvents;

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined); // OpenFeature logs errors of providers.
  phone = makePhone();
  phone.server.flagsOf = (user) => valued(user ?? 'nobody');
});

afterEach(async () => {
  await end();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const valued = (value: string): Phone['server']['flags'] => ({ who: { value, variant: value, reason: 'TARGETING_MATCH' } });

async function end(): Promise<void> {
  await phone.kill();
  await OpenFeature.clearProviders();
  await OpenFeature.clearContexts();
  OpenFeature.clearHandlers();
}

/** Starts the app again, with a context. */
async function start(context: EvaluationContext = {}, options = {}): Promise<Process> {
  await end();
  const app = await phone.begin({ enabled: false, ...options });
  events = [];
  for (const event of [Ready, Stale, Failed]) {
    OpenFeature.addHandler(event, (details) => {
      if (details?.providerName === 'waft') {
        events.push(event.replace('PROVIDER_', ''));
      }
    });
  }
  OpenFeature.setProvider(app.waft.flags, context);
  await pass(100);
  return app;
}

const client = OpenFeature.getClient();
const who = (): string => client.getStringValue('who', 'default');

it('keeps the values of the device and of the last five users for starts without a network', async () => {
  const users = ['u1', 'u2', 'u3', 'u4', 'u5', 'u6'];
  for (const user of users) {
    await start();
    await OpenFeature.setContext({ targetingKey: user });
    expect(who()).toBe(user);
    await pass(100);
  }
  phone.server.network = 'off';
  const seen: string[] = [];
  for (const user of users) {
    await start({ targetingKey: user });
    seen.push(who());
  }
  await start();
  expect([...seen, who()]).toEqual(['default', 'u2', 'u3', 'u4', 'u5', 'u6', 'nobody']);
  await start({ targetingKey: 'u2' });
  phone.server.network = 'on';
  await start({ targetingKey: 'u7' }); // u2 was used more recently than u3.
  phone.server.network = 'off';
  await start({ targetingKey: 'u3' });
  expect(who()).toBe('default');
  await start({ targetingKey: 'u2' });
  expect(who()).toBe('u2');
  expect([...phone.storage.content.keys()].filter((key) => key.includes('/flags'))).toHaveLength(7);
});

it('keeps the values of contexts with attributes apart, with and without a user', async () => {
  const contexts = [{}, { plan: 'free' }, { plan: 'pro' }, { targetingKey: 'ada', plan: 'free' }, { targetingKey: 'ada' }];
  for (const context of contexts) {
    phone.server.flagsOf = () => valued(JSON.stringify(context));
    await start(context);
  }
  phone.server.network = 'off';
  for (const context of contexts) {
    await start(context);
    expect(who()).toBe(JSON.stringify(context));
  }
  for (const context of [{ targetingKey: 'ada', plan: 'pro' }, { targetingKey: 'eve' }, { plan: 'other' }]) {
    await start(context);
    expect(who()).toBe('default');
  }
});

it('does not show the values of another channel, project or server at a start', async () => {
  const targets = [{ channel: 'beta' }, { channel: 'pr/7' }, { project: 'other' }, { url: 'https://staging.test' }];
  for (const context of [{}, { targetingKey: 'ada' }, { plan: 'pro' }]) {
    phone.server.network = 'on';
    phone.server.flagsOf = () => valued('of production');
    await start(context);
    expect(who()).toBe('of production');
    for (const target of targets) {
      phone.server.network = 'off';
      await start(context, target);
      expect(who()).toBe('default');
      phone.server.network = 'on';
      phone.server.flagsOf = () => valued(JSON.stringify(target));
      await start(context, target);
      phone.server.network = 'off';
      await start(context, target);
      expect(who()).toBe(JSON.stringify(target));
    }
  }
});

it('does not keep more values the more channels an app uses', async () => {
  for (let n = 0; n < 12; n += 1) {
    await start({}, { channel: `pr-${String(n)}` });
    await start({ targetingKey: 'ada' }, { channel: `pr-${String(n)}` });
  }
  // Five users, the device alone, and the list of users.
  expect([...phone.storage.content.keys()].filter((key) => key.includes('/flags'))).toHaveLength(7);
});

it('keeps the old values within a session until those of the new user come', async () => {
  await start();
  phone.server.network = 'silent';
  const changing = OpenFeature.setContext({ targetingKey: 'ada' });
  await pass(1000);
  expect(client.getStringDetails('who', 'default')).toMatchObject({ value: 'nobody', reason: 'STALE' });
  expect(client.providerStatus).toBe('RECONCILING');
  phone.server.network = 'on';
  await OpenFeature.setContext({ targetingKey: 'eve' });
  await changing;
  expect(client.getStringDetails('who', 'default')).toMatchObject({ value: 'eve', reason: 'TARGETING_MATCH' });
  expect(client.providerStatus).toBe('READY');
});

it('shows the stored values of a known user immediately when the user signs in without a network', async () => {
  await start({ targetingKey: 'ada' });
  await start();
  phone.server.network = 'silent';
  const changing = OpenFeature.setContext({ targetingKey: 'ada' });
  await pass(1);
  await changing;
  expect(client.getStringDetails('who', 'default')).toMatchObject({ value: 'ada', reason: 'CACHED' });
  expect(client.providerStatus).toBe('READY');
  await pass(5000);
  expect(client.providerStatus).toBe('STALE');
  phone.server.network = 'on';
  await pass(minute);
  expect(events).toEqual(['READY', 'STALE', 'READY']);
  expect(client.providerStatus).toBe('READY');
});

it.each(['off', 'silent'] as const)('is stale as soon as a start from stored values cannot reach the server (%s), then ready', async (network) => {
  await start();
  phone.server.network = network;
  await start();
  await pass(network === 'off' ? 1 : 5000);
  expect(who()).toBe('nobody');
  expect([events, client.providerStatus]).toEqual([['READY', 'STALE'], 'STALE']);
  phone.server.network = 'on';
  await pass(2 * minute);
  expect([events, client.providerStatus]).toEqual([['READY', 'STALE', 'READY'], 'READY']);
});

it.each(['off', 'silent'] as const)('is in error within five seconds without a response and stored values (%s), then ready', async (network) => {
  phone.server.network = network;
  await start({ targetingKey: 'ada' });
  await pass(4900);
  expect(client.getStringDetails('who', 'default')).toMatchObject({ value: 'default', errorCode: 'PROVIDER_NOT_READY' });
  expect([events, client.providerStatus]).toEqual([['ERROR'], 'ERROR']);
  phone.server.network = 'on';
  await pass(2 * minute);
  expect([events, client.providerStatus, who()]).toEqual([['ERROR', 'READY'], 'READY', 'ada']);
});

it.each([{}, { plan: 'pro' }])('is stale after 90 seconds in the foreground without a connection, then ready (%o)', async (context) => {
  const app = await start(context);
  await pass(5 * minute);
  expect(events).toEqual(['READY']);
  phone.server.network = 'off';
  await pass(50_000);
  app.become('background');
  await pass(10 * minute);
  expect(events).toEqual(['READY']);
  app.become('active');
  await pass(20_000);
  expect(events).toEqual(['READY']);
  await pass(minute);
  expect([events, client.providerStatus]).toEqual([['READY', 'STALE'], 'STALE']);
  phone.server.network = 'on';
  await pass(minute);
  expect([events, client.providerStatus]).toEqual([['READY', 'STALE', 'READY'], 'READY']);
  await pass(10 * minute);
  expect(events).toHaveLength(3);
});

it('is in error when the values of a new user do not come, and shows the old ones until they do', async () => {
  await start();
  phone.server.network = 'off';
  await OpenFeature.setContext({ targetingKey: 'ada' });
  expect([client.providerStatus, who()]).toEqual(['ERROR', 'nobody']);
  const changes: unknown[] = [];
  client.addHandler(ProviderEvents.ConfigurationChanged, (details) => changes.push(details?.flagsChanged));
  phone.server.network = 'on';
  await pass(2 * minute);
  expect([events, client.providerStatus, who()]).toEqual([['READY', 'ERROR', 'READY'], 'READY', 'ada']);
  expect(changes).toEqual([['who']]);
});

it('ignores stored content that is corrupt or of another format', async () => {
  await start({ targetingKey: 'ada' });
  await start();
  const stored = [...phone.storage.content].filter(([key]) => key.includes('/flags'));
  expect(stored).toHaveLength(3);
  const wrong = [
    '', 'no JSON', 'null', '7', '[]', '{}', '[1,{}]', JSON.stringify({ identity: '["eve",[]]', flags: valued('eve') }), '{"identity":7,"flags":{}}', '{"identity":"[\\"\\",[]]","flags":{"who":1}}',
  ];
  for (const content of wrong) {
    for (const [key] of stored) {
      phone.storage.content.set(key, content);
    }
    phone.server.network = 'off';
    await start({ targetingKey: 'ada' });
    expect(who()).toBe('default');
    await start();
    expect(who()).toBe('default');
    phone.server.network = 'on';
    await start({ targetingKey: 'ada' });
    expect(who()).toBe('ada');
  }
});

it('ends every connection and timer when it is closed, and starts again with another context', async () => {
  const { waft } = await start();
  await pass(1000);
  expect(phone.server.streams.size).toBe(1);
  await waft.flags.onClose?.();
  await pass(1);
  expect(phone.server.streams.size).toBe(0);
  phone.server.network = 'off';
  await expect(waft.flags.initialize?.({ targetingKey: 'ada' })).rejects.toThrow('did not send the flags');
  expect(waft.flags.resolveStringEvaluation('who', 'default', {}, console).value).toBe('default');
  phone.server.network = 'on';
  await pass(minute);
  expect([...phone.server.streams].map((stream) => stream.targetingKey)).toEqual(['ada']);
  await waft.flags.onClose?.();
  await pass(10 * minute);
  expect(phone.server.streams.size).toBe(0);
});

it('is not stale when it was stopped on purpose', async () => {
  await start();
  phone.server.network = 'silent';
  const { waft } = await start();
  waft.stop();
  await pass(10 * minute);
  expect([events, client.providerStatus]).toEqual([['READY'], 'READY']);
  waft.start();
  await pass(2 * minute);
  expect(events).toEqual(['READY', 'STALE']);
});

it('does not wait after it is closed', async () => {
  phone.server.network = 'silent';
  const { waft } = await start();
  const initializing = waft.flags.initialize?.({ targetingKey: 'ada' });
  await pass(1);
  waft.stop();
  await waft.flags.onClose?.();
  await initializing;
  await pass(1);
  expect(vi.getTimerCount()).toBe(0);
});
