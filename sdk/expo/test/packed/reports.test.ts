import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { minute, pass } from '../app';
import { endPhone, makePhone, Phone } from './phone';

let phone: Phone;
const offline = Array<'away'>(100_000).fill('away');

beforeEach(() => {
  phone = makePhone();
});

afterEach(async () => {
  await endPhone(phone);
});

/** Catches an error as many apps do: the app reports the error, and throws it again. */
function catchAndRethrow(waft: Awaited<ReturnType<Phone['begin']>>['waft'], error: unknown): void {
  waft.health.captureException(error, { tags: { screen: 'basket' } });
  phone.handler(error, true);
}

describe('an error that the app reports and throws again', () => {
  it.each([
    ['an error', () => new Error('paid twice')],
    ['a frozen error', () => Object.freeze(new Error('paid twice'))],
    ['a text', () => 'paid twice'],
  ])('is one crash: %s', async (_name, made) => {
    const { waft } = await phone.begin();
    await pass(minute);
    const error = made();
    catchAndRethrow(waft, error);
    phone.handler(error, true); // Another library passes the error on once more.
    waft.health.captureException(error, { isFatal: true });
    await pass(minute);
    expect(phone.server.counts()).toEqual({ app_launch: 1, 'js_error paid twice': 1, 'crash paid twice': 1 });
  });

  it('is not reported again as an error after it was a crash', async () => {
    const { waft } = await phone.begin();
    const error = new Error('paid twice');
    waft.health.captureException(error, { isFatal: true });
    waft.health.captureException(error);
    await pass(minute);
    expect(phone.server.counts()).toEqual({ app_launch: 1, 'crash paid twice': 1 });
  });

  it('is one crash when the device is offline and only the next launch can report it', async () => {
    phone.server.next.push(...offline);
    const { waft } = await phone.begin();
    await pass(minute);
    catchAndRethrow(waft, new Error('paid twice'));
    await pass(2000);
    expect(phone.ended).toHaveLength(1);
    phone.server.next.length = 0;
    await phone.begin();
    await pass(minute);
    expect(phone.server.counts()).toEqual({ app_launch: 2, 'js_error paid twice': 1, 'crash paid twice': 1 });
  });

  it('is a crash that the log of expo-updates does not report again, unlike a later failure', async () => {
    const { waft } = await phone.begin();
    await pass(minute);
    catchAndRethrow(waft, new Error('paid twice'));
    await pass(2000);
    phone.log = [
      { timestamp: Date.now() + 60_000, level: 'error', code: 'JSRuntimeError', message: 'before the first screen', updateId: 'b' },
      { timestamp: Date.now(), level: 'error', code: 'JSRuntimeError', message: 'paid twice', updateId: 'a' },
    ];
    await pass(2 * minute);
    await phone.begin();
    await pass(minute);
    expect(phone.server.counts()).toEqual({
      app_launch: 2, 'js_error paid twice': 1, 'crash paid twice': 1, 'crash before the first screen': 1,
    });
  });
});

describe('ten thousand events without a network', () => {
  it('drop the oldest events, and neither the crash nor the launch', async () => {
    phone.server.next.push(...offline);
    const { waft } = await phone.begin();
    waft.health.captureException(new Error('crashed'), { isFatal: true });
    waft.health.captureException(new Error('failed'));
    for (let n = 0; n < 10_000; n += 1) {
      waft.health.track(`event ${n}`);
    }
    await pass(minute);
    phone.server.next.length = 0;
    await pass(30 * minute);
    const { app_launch, 'crash crashed': crashes, 'js_error failed': errors, 'custom waft_dropped': dropped = 0, ...events } = phone.server.counts();
    expect({ app_launch, crashes, errors }).toEqual({ app_launch: 1, crashes: 1, errors: 1 });
    const kept = Object.keys(events);
    expect(kept.length).toBeGreaterThan(1000);
    expect(kept.length + dropped).toBe(10_000);
    expect(kept).toContain('custom event 9999');
    expect(kept).not.toContain('custom event 0');
  });

  it('survive the process, with the number of dropped events', async () => {
    phone.server.next.push(...offline);
    const { waft } = await phone.begin();
    for (let n = 0; n < 10_000; n += 1) {
      waft.health.track(`event ${n}`);
    }
    await pass(minute);
    phone.server.next.length = 0;
    await phone.begin();
    await pass(30 * minute);
    const counts = phone.server.counts();
    const kept = Object.keys(counts).filter((name) => name.startsWith('custom event '));
    expect(kept.length + (counts['custom waft_dropped'] ?? 0)).toBe(10_000);
    expect(counts.app_launch).toBe(2);
  });

  it('drop errors before crashes and launches, and events before errors', async () => {
    phone.server.next.push(...offline);
    for (let n = 0; n < 60; n += 1) {
      const { waft, become } = await phone.begin();
      become('background'); // A report that may have arrived can only be dropped as a whole.
      waft.health.track(`event ${n}`, { text: 'x'.repeat(250) });
      waft.health.captureException(Object.assign(new Error(`error ${n}`), { stack: 'y'.repeat(15_000) }));
      waft.health.captureException(new Error(`crash ${n}`), { isFatal: true });
      await pass(1000);
    }
    phone.server.next.length = 0;
    await phone.begin();
    await pass(60 * minute);
    const counts = phone.server.counts();
    expect(counts.app_launch).toBe(61);
    expect(Object.keys(counts).filter((name) => name.startsWith('crash '))).toHaveLength(60);
    expect(Object.keys(counts).filter((name) => name.startsWith('custom event'))).toEqual([]);
    const errors = Object.keys(counts).filter((name) => name.startsWith('js_error'));
    expect(errors.length).toBeGreaterThan(10);
    expect(errors).toContain('js_error error 59');
    expect(counts['custom waft_dropped']).toBe(120 - errors.length);
  });
});

describe('the pace', () => {
  /** Returns the times between the starts of requests, in milliseconds. */
  const gaps = (): number[] => phone.server.attempts.slice(1).map((at, n) => at - (phone.server.attempts[n] ?? 0));

  it('is a report every five seconds after an outage, the crash first', async () => {
    phone.server.next.push(...offline);
    for (let n = 0; n < 49; n += 1) {
      (await phone.begin()).waft.health.track(`event ${n}`);
      await pass(300);
    }
    const { waft } = await phone.begin();
    waft.health.captureException(new Error('crashed'), { isFatal: true });
    await pass(minute);
    phone.server.next.length = 0;
    phone.server.attempts.length = 0;
    const back = Date.now();
    await phone.begin();
    await pass(10 * minute);
    expect(phone.server.counts()).toMatchObject({ app_launch: 51, 'crash crashed': 1 });
    expect(phone.server.reports[0]?.events.map((event) => event.type)).toContain('crash');
    expect(phone.server.attempts.length).toBeGreaterThanOrEqual(50);
    expect(Math.min(...gaps())).toBeGreaterThanOrEqual(5000);
    expect(Math.max(...gaps())).toBeLessThan(5100);
    expect((phone.server.attempts[0] ?? 0) - back).toBeLessThanOrEqual(5000);
  });

  it('is different for each device: the first report has a random delay of up to five seconds', async () => {
    const delays: number[] = [];
    for (let n = 0; n < 40; n += 1) {
      const other = new Phone();
      const start = Date.now();
      await other.begin();
      await pass(6000);
      delays.push((other.server.attempts[0] ?? 0) - start);
      await other.kill();
    }
    expect(Math.max(...delays)).toBeLessThanOrEqual(5100);
    expect(Math.max(...delays) - Math.min(...delays)).toBeGreaterThan(2000);
    expect(new Set(delays).size).toBeGreaterThan(30);
  });

  it('keeps Retry-After and a random delay after it, even when the app starts again or flushes', async () => {
    phone.server.next.push({ status: 429, retryAfter: '120' });
    await phone.begin();
    await pass(10_000);
    const [refused = 0] = phone.server.attempts;
    expect(phone.server.attempts).toHaveLength(1);
    const { waft } = await phone.begin();
    const flushing = setInterval(() => void waft.health.flush(), 1000);
    await pass(200_000);
    clearInterval(flushing);
    const after = (phone.server.attempts[1] ?? 0) - refused;
    expect(after).toBeGreaterThanOrEqual(120_000);
    expect(after).toBeLessThanOrEqual(126_000);
    expect(phone.server.counts()).toMatchObject({ app_launch: 2 });
  });

  it('holds for flush, which sends one report now', async () => {
    phone.server.next.push(...offline);
    for (let n = 0; n < 10; n += 1) {
      await phone.begin();
      await pass(10_000);
    }
    await phone.kill();
    await pass(10_000);
    phone.server.next.length = 0;
    phone.server.attempts.length = 0;
    const { waft } = await phone.begin();
    await pass(1);
    for (let n = 0; n < 30; n += 1) {
      await waft.health.flush();
      await pass(100);
    }
    expect(phone.server.attempts).toHaveLength(1);
    waft.health.track('stored by flush');
    await waft.health.flush();
    expect(JSON.stringify([...phone.storage.content])).toContain('stored by flush');
    await pass(5 * minute);
    expect(Math.min(...gaps())).toBeGreaterThanOrEqual(5000);
  });

  it('holds for an app that starts again and again and flushes each time', async () => {
    for (let n = 0; n < 30; n += 1) {
      const { waft } = await phone.begin();
      await waft.health.flush();
      await pass(900);
    }
    expect(phone.server.attempts.length).toBeGreaterThan(3);
    expect(Math.min(...gaps())).toBeGreaterThanOrEqual(5000);
  });
});

describe('a wrong project or server', () => {
  const problem = { type: 'urn:waft:problem:not_found', status: 404, code: 'not_found', detail: 'the project does not exist' };
  const nowhere = { status: 404, body: problem };

  it('is told once per launch, and loses nothing before the address has worked', async () => {
    const told: object[] = [];
    phone.server.next.push(...Array<typeof nowhere>(50).fill(nowhere));
    const { waft } = await phone.begin({ onError: (error) => told.push(error) });
    for (let n = 0; n < 20; n += 1) {
      waft.health.track(`event ${n}`);
      await pass(minute);
    }
    expect(phone.server.attempts.length).toBeGreaterThan(3);
    expect(phone.server.attempts.length).toBeLessThan(40);
    expect(told).toEqual([{ code: 'not_found', message: expect.stringMatching(/https:\/\/ota\.test .*"demo".*the project does not exist.*"project" and "channel" of createWaft.*"updates"/) as string }]);
    phone.server.next.length = 0;
    await phone.begin({ onError: (error) => told.push(error) });
    await pass(10 * minute);
    expect(told).toHaveLength(1);
    expect(phone.server.counts()).toMatchObject({ app_launch: 2, 'custom event 0': 1, 'custom event 19': 1 });
  });

  it('is told when what answers is not Waft', async () => {
    const told: object[] = [];
    phone.server.next.push(200, 404, 302, 405, ...offline);
    await phone.begin({ onError: (error) => told.push(error) });
    await pass(10 * minute);
    expect(told).toEqual([{ code: 'unexpected_response', message: expect.stringContaining('https://ota.test') as string }]);
  });

  it('is told on the console in development only', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    phone.server.next.push(nowhere);
    await phone.begin();
    await pass(minute);
    expect(warn).not.toHaveBeenCalled();
    vi.stubGlobal('__DEV__', true);
    phone.server.next.push(nowhere);
    await phone.begin({ enabled: true });
    await pass(minute);
    expect(warn.mock.calls).toEqual([[expect.stringContaining('the project does not exist')]]);
    warn.mockRestore();
  });

  it.each([
    ['off', /^@waft\/expo: http:\/\/localhost:9 does not respond \(Network request failed\).*On a phone, localhost is the phone/],
    ['silent', /^@waft\/expo: http:\/\/localhost:9 does not respond \(no response in 10 s\)/],
  ] as const)('is told on the console in development if the address does not respond: the network is %s', async (network, message) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const told: object[] = [];
    const onError = (error: object): number => told.push(error);
    phone.server.network = network;
    for (const isDevelopment of [false, true]) {
      expect(warn).not.toHaveBeenCalled();
      vi.stubGlobal('__DEV__', isDevelopment);
      const { waft } = await phone.begin({ url: 'http://localhost:9', onError });
      void waft.flags.initialize?.().catch(() => undefined);
      await pass(5 * minute);
    }
    expect(warn.mock.calls).toEqual([[expect.stringMatching(message)]]);
    expect(told).toEqual([]);
    warn.mockRestore();
  });

  it('is not told on the console in development after the address has responded', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    vi.stubGlobal('__DEV__', true);
    const { waft } = await phone.begin();
    await waft.flags.initialize?.();
    phone.server.network = 'off';
    void Promise.resolve(waft.flags.onContextChange?.({}, { targetingKey: 'ada' })).catch(() => undefined);
    await pass(5 * minute);
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });

  it('is told when only flags are requested, as in development', async () => {
    const told: object[] = [];
    phone.server.next.push(...Array<typeof nowhere>(100).fill(nowhere));
    const { waft } = await phone.begin({ enabled: false, onError: (error) => told.push(error) });
    for (const targetingKey of ['ada', 'bob', 'eve']) {
      await Promise.all([expect(waft.flags.initialize?.({ targetingKey })).rejects.toThrow(), pass(minute)]);
    }
    expect(told).toMatchObject([{ code: 'not_found' }]);
  });

  it('does not stop what the server does take', async () => {
    phone.server.next.push({ status: 400, body: { code: 'invalid', detail: 'bad' } });
    const { waft } = await phone.begin();
    await pass(6000);
    waft.health.track('next');
    await pass(10 * minute);
    expect(phone.server.counts()).toEqual({ app_launch: 1, 'custom next': 1 });
  });

  it('survives an onError that throws', async () => {
    phone.server.next.push(nowhere);
    await phone.begin({ onError: () => { throw new Error('in the hook'); } });
    await pass(10 * minute);
    expect(phone.server.counts()).toMatchObject({ app_launch: 1 });
  });
});
