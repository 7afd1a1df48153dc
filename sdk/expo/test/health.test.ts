import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { day, FakeDevice, minute, pass } from './app';

const uuid = '6f6f2f0e-5b7e-4f4e-8f36-2f3f9d4d1c11';
let device: FakeDevice;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-03-01T12:00:00Z') });
  vi.stubGlobal('CompressionStream', undefined); // As in Hermes. Streams do not follow the fake clock.
  device = new FakeDevice();
});

afterEach(() => {
  device.kill();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('what is reported', () => {
  it('is the launch, for the running update', async () => {
    device.running = uuid;
    device.begin();
    await pass(minute);
    expect(device.server.reports).toMatchObject([
      {
        projectSlug: 'demo', deviceId: '2f1c9a80-6f0e-4a6d-9a57-0d6f1c6d1b11', channel: 'production', platform: 'ios',
        runtimeVersion: '1.0.0', updateUuid: uuid, events: [{ type: 'app_launch', count: 1 }],
      },
    ]);
  });

  it('is an error, counted when it comes again, with its tags', async () => {
    const { health } = device.begin();
    const fail = (): Error => new TypeError('x is undefined');
    for (let n = 0; n < 3; n += 1) {
      health.captureException(fail(), { tags: { screen: 'basket' } });
    }
    health.captureException('a text', { isFatal: true });
    health.track('checkout', { step: '2' });
    await pass(minute);
    const [report] = device.server.reports;
    expect(report?.events).toMatchObject([
      { type: 'app_launch', count: 1 },
      { type: 'js_error', errorName: 'TypeError', message: 'x is undefined', count: 3, isFatal: false, tags: { screen: 'basket' } },
      { type: 'crash', message: 'a text', count: 1, isFatal: true },
      { type: 'custom', name: 'checkout', tags: { step: '2' }, count: 1 },
    ]);
    expect(report?.events[1]?.stackTrace).toContain('health.test');
  });

  it('is the same error object only once', async () => {
    const { health } = device.begin();
    const error = new Error('once');
    health.captureException(error);
    health.captureException(error);
    await pass(minute);
    expect(device.server.counts()).toEqual({ app_launch: 1, 'js_error once': 1 });
  });

  it('is what beforeSend leaves of it', async () => {
    const { health } = device.begin({
      beforeSend: (event) => {
        if (event.message === 'broken hook') {
          throw new Error('in the hook');
        }
        return event.name === 'secret' ? null : { ...event, message: event.message?.replace(/\S+@\S+/, '(address)') ?? '' };
      },
    });
    health.captureException(new Error('no mail to ada@example.com'));
    health.captureException(new Error('broken hook'));
    health.track('secret');
    await pass(minute);
    expect(device.server.counts()).toEqual({ app_launch: 1, 'js_error no mail to (address)': 1 });
    expect(JSON.stringify([...device.storage.content])).not.toContain('ada@example.com');
  });

  it('is nothing of what a hook makes that the server would refuse, and all of the rest', async () => {
    const made: Record<string, unknown> = {
      promise: Promise.resolve(), nothing: {}, counts: { type: 'custom', name: 'x', count: 'many' }, zero: { type: 'custom', name: 'x', count: 0 },
      more: { type: 'custom', name: 'x', count: 1_000_001 },
      text: { type: 'custom', name: {}, count: 1 }, fatal: { type: 'crash', count: 1, isFatal: 'yes' }, tags: { type: 'custom', count: 1, tags: null },
      huge: { type: 'custom', name: 'y'.repeat(1 << 20), count: 1 },
    };
    const { health } = device.begin({ beforeSend: (event) => (made[event.name ?? ''] as typeof event | undefined) ?? event });
    for (const name of [...Object.keys(made), 'well']) {
      health.track(name);
    }
    await pass(minute);
    expect(device.server.counts()).toEqual({ app_launch: 1, [`custom ${'y'.repeat(128)}`]: 1, 'custom well': 1 });
  });

  it('is an event however odd its parts are', async () => {
    const { health } = device.begin();
    const round: Record<string, unknown> = {};
    round.self = round;
    const odd = { round, bare: Object.create(null) as unknown, big: 10n, none: undefined, list: [1] } as unknown as Record<string, string>;
    health.track('tags', odd);
    health.track('no tags', null as unknown as undefined);
    health.captureException(new Error('no details'), null as unknown as undefined);
    health.captureException({ get message(): string { throw new Error('hidden'); } });
    health.captureException(undefined);
    await pass(minute);
    expect(device.server.counts()).toEqual({
      app_launch: 1, 'custom tags': 1, 'custom no tags': 1, 'js_error no details': 1, 'js_error undefined': 1,
      'js_error a value that cannot be printed': 1,
    });
    const tags = device.server.reports[0]?.events.find((e) => e.name === 'tags')?.tags;
    expect(tags).toEqual({ round: 'a value that cannot be printed', bare: '{}', big: '10', none: 'undefined', list: '[1]' });
  });

  it('is nothing in development', async () => {
    device.begin({ enabled: false }).health.track('unseen');
    await pass(minute);
    expect(device.server.attempts).toEqual([]);
  });

  it('is small, however much there is', async () => {
    const { health } = device.begin();
    device.server.next.push(...Array<'away'>(1000).fill('away'));
    for (let n = 0; n < 1000; n += 1) {
      health.captureException(Object.assign(new Error(`${n} ${'x'.repeat(5000)}`), { stack: 'y'.repeat(50_000) }));
    }
    await pass(minute);
    const bytes = [...device.storage.content.values()].reduce((sum, text) => sum + text.length, 0);
    expect(bytes).toBeLessThan(800 << 10);
    device.server.next.length = 0;
    await pass(10 * minute);
    expect(device.server.counts()).toMatchObject({ [`js_error ${`999 ${'x'.repeat(5000)}`.slice(0, 2000)}`]: 1 });
    for (const report of device.server.reports) {
      expect(JSON.stringify(report).length).toBeLessThan(200 << 10);
    }
  });
});

describe('each event counts once', () => {
  it.each([
    ['a lost answer', ['lost']],
    ['many lost answers', ['lost', 'lost', 'lost']],
    ['503', [503, 503]],
    ['429 with Retry-After', [{ status: 429, retryAfter: '30' }]],
    ['a gateway that gives up', [504, 'lost', 502]],
    ['no network, then a lost answer', ['away', 'lost', 'away']],
    ['the page of a hotel\'s network in the place of the answer', [200, 302, 511]],
  ] as const)('through %s', async (_name, behaviour) => {
    device.server.next.push(...behaviour);
    const { health } = device.begin();
    health.captureException(new Error('e'));
    await pass(20 * minute);
    expect(device.server.counts()).toEqual({ app_launch: 1, 'js_error e': 1 });
    expect(device.server.next).toEqual([]);
  });

  it('through kills of the app at any moment', async () => {
    for (let n = 0; n < 60; n += 1) {
      device.server.next.push(...(['lost', 204, 'away', 503] as const).slice(0, n % 5));
      device.begin().health.track(`e${n}`);
      await pass(n * 37 + 1);
    }
    device.begin();
    await pass(60 * minute);
    const counts = Object.entries(device.server.counts()).filter(([name]) => name.startsWith('custom e'));
    expect(counts).toEqual(Array.from({ length: 60 }, (_, n) => [`custom e${n}`, 1]));
    expect(device.server.counts().app_launch).toBe(61);
  });

  it('through a day in airplane mode', async () => {
    device.server.next.push(...Array<'away'>(5000).fill('away'));
    device.begin().health.track('offline');
    await pass(23 * 60 * minute);
    expect(device.server.attempts.length).toBeLessThan(1000);
    device.server.next.length = 0;
    await pass(10 * minute);
    expect(device.server.counts()).toEqual({ app_launch: 1, 'custom offline': 1 });
  });

  it.each([
    ['when the app has started', 1],
    ['when the first report was lost', 5001],
  ])('through a clock that changes %s', async (_name, ms) => {
    device.server.clock = () => performance.now(); // Only the clock of the device changes.
    device.server.next.push('lost');
    device.begin().health.track('before');
    await pass(ms);
    vi.setSystemTime(Date.now() + 400 * day);
    await pass(20 * minute);
    vi.setSystemTime(Date.now() - 800 * day);
    device.begin().health.track('after');
    await pass(20 * minute);
    expect(device.server.counts()).toMatchObject({ app_launch: 2, 'custom before': 1, 'custom after': 1 });
  });

  it('with a full storage', async () => {
    device.storage.isFull = true;
    device.server.next.push('lost', 503);
    device.begin().health.track('full');
    await pass(20 * minute);
    expect(device.server.counts()).toEqual({ app_launch: 1, 'custom full': 1 });
  });

  it('when the storage is full only while the report is sent', async () => {
    device.server.next.push(503, 'lost');
    const { health } = device.begin();
    health.track('a');
    await pass(900);
    device.storage.isFull = true;
    health.track('b');
    await pass(400);
    device.storage.isFull = false;
    device.begin();
    await pass(20 * minute);
    expect(device.server.counts()).toMatchObject({ app_launch: 2, 'custom a': 1 });
    expect(device.server.counts()['custom b'] ?? 0).toBeLessThanOrEqual(1);
  });

  it('with a storage that never answers', async () => {
    device.storage.hush();
    device.server.next.push('lost', 503);
    device.begin().health.track('unheard');
    await pass(minute);
    expect(device.server.counts()).toEqual({ app_launch: 1, 'custom unheard': 1 });
  });

  it('with a storage that answers late, also what waited in it', async () => {
    device.server.next.push(...Array<'away'>(10).fill('away'));
    device.begin().health.track('of the process before');
    await pass(2000);
    const speak = device.storage.hush();
    device.begin();
    await pass(minute);
    device.server.next.length = 0;
    await pass(10 * minute);
    expect(device.server.counts()).toEqual({ app_launch: 1 });
    speak();
    await pass(1);
    device.begin(); // The late reports are stored, and the sent reports are not.
    await pass(minute);
    expect(device.server.counts()).toMatchObject({ app_launch: 3, 'custom of the process before': 1 });
    device.begin();
    await pass(minute);
    expect(device.server.counts()).toMatchObject({ app_launch: 4, 'custom of the process before': 1 });
  });

  it('or is given up when the server would no longer recognise it', async () => {
    device.server.next.push('lost', ...Array<'away'>(5000).fill('away'));
    device.begin().health.track('doubtful');
    await pass(25 * 60 * minute);
    device.server.next.length = 0;
    await pass(10 * minute);
    expect(device.server.counts()).toEqual({ app_launch: 1, 'custom doubtful': 1 });
  });

  it('also when the app was suspended for days', async () => {
    device.server.next.push('lost');
    device.begin().health.track('doubtful');
    await pass(1000);
    device.become('background');
    vi.setSystemTime(Date.now() + 3 * day);
    device.become('active');
    await pass(10 * minute);
    expect(device.server.counts()).toEqual({ app_launch: 1, 'custom doubtful': 1 });
  });
});

describe('sending', () => {
  it('waits as long as the server asks', async () => {
    device.server.next.push({ status: 429, retryAfter: '120' });
    const { health } = device.begin();
    await pass(119_000);
    void health.flush();
    await pass(500);
    expect(device.server.attempts).toHaveLength(1);
    await pass(12_000);
    expect(device.server.counts()).toEqual({ app_launch: 1 });
  });

  it('slows down while the server is away', async () => {
    device.server.next.push(...Array<'away'>(1000).fill('away'));
    device.begin();
    await pass(minute);
    expect(device.server.attempts.length).toBeGreaterThan(2);
    expect(device.server.attempts.length).toBeLessThan(40);
    const inTheFirst = device.server.attempts.length;
    await pass(60 * minute);
    expect(device.server.attempts.length - inTheFirst).toBeLessThan(60);
  });

  it('does not happen in the background', async () => {
    const { health } = device.begin();
    device.become('background');
    health.track('hidden');
    await pass(60 * minute);
    expect(device.server.attempts).toEqual([]);
    device.become('active');
    await pass(minute);
    expect(device.server.counts()).toEqual({ app_launch: 1, 'custom hidden': 1 });
  });

  it('drops what the server will never take, and goes on', async () => {
    device.server.next.push(204, { status: 400, body: { code: 'invalid_input', detail: 'count must be a number' } });
    const { health } = device.begin();
    await pass(minute);
    health.track('refused');
    await pass(minute);
    health.track('next');
    await pass(minute);
    expect(device.server.counts()).toEqual({ app_launch: 1, 'custom next': 1 });
    expect(device.server.attempts).toHaveLength(3);
  });

  it('compresses large reports where the platform can', async () => {
    vi.unstubAllGlobals();
    const { health } = device.begin();
    health.captureException(Object.assign(new Error('long'), { stack: 'at f (index.js:1:1)\n'.repeat(300) }));
    await pass(6000);
    await vi.waitFor(() => {
      expect(device.server.counts()).toEqual({ app_launch: 1, 'js_error long': 1 });
    });
  });

  it('ends with stop and goes on with start', async () => {
    const waft = device.begin();
    waft.stop();
    waft.health.track('kept');
    await pass(minute);
    expect(device.server.attempts).toEqual([]);
    waft.start();
    await pass(minute);
    expect(device.server.counts()).toEqual({ app_launch: 1, 'custom kept': 1 });
  });

  it('goes on when it is stopped and started while a report is under way', async () => {
    const waft = device.begin();
    await pass(0);
    waft.health.track('next');
    waft.stop();
    waft.start();
    await pass(minute);
    expect(device.server.counts()).toEqual({ app_launch: 1, 'custom next': 1 });
  });

  it('resolves flush also when the server is away', async () => {
    const { health } = device.begin();
    device.server.next.push('away');
    const flushed = health.flush();
    await pass(100);
    await expect(flushed).resolves.toBeUndefined();
    await pass(minute);
    expect(device.server.counts()).toEqual({ app_launch: 1 });
  });

  it('waits once, however often the app wants to send', async () => {
    device.server.next.push({ status: 429, retryAfter: '120' });
    const { health } = device.begin();
    await pass(10_000);
    const waiting = vi.getTimerCount();
    for (let n = 0; n < 100; n += 1) {
      await health.flush();
    }
    expect(vi.getTimerCount()).toBe(waiting);
    device.become('background');
    for (let n = 0; n < 100; n += 1) {
      await health.flush();
    }
    expect(vi.getTimerCount()).toBe(waiting - 1); // In the background no report waits for its time.
    device.become('active');
    await pass(2 * minute);
    expect(device.server.counts()).toEqual({ app_launch: 1 });
    expect(device.server.attempts).toHaveLength(2);
  });

  it('resolves flush also in the background', async () => {
    const { health } = device.begin();
    await pass(minute);
    device.become('background');
    health.track('hidden');
    const flushed = health.flush();
    await pass(100);
    await expect(flushed).resolves.toBeUndefined();
    device.become('active');
    await pass(minute);
    expect(device.server.counts()).toEqual({ app_launch: 1, 'custom hidden': 1 });
  });
});
