import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { HealthEvent, WaftOptions } from '@waft/expo';
import { minute, pass } from '../app';
import { endPhone, makePhone, Phone } from './phone';

let phone: Phone;

beforeEach(() => {
  phone = makePhone();
});

afterEach(async () => {
  await endPhone(phone);
});

const stored = (): string => JSON.stringify([...phone.storage.content]);
const errors = (): HealthEvent[] => phone.server.reports.flatMap((report) => report.events).filter((event) => event.message !== undefined);

describe('consent', () => {
  it('is required before anything is stored or sent, and then counts what happened before it', async () => {
    const { waft } = await phone.begin({ requireConsent: true });
    waft.health.captureException(new Error('before'));
    await waft.health.flush();
    await pass(minute);
    expect(phone.server.attempts).toEqual([]);
    expect(stored()).not.toContain('before');
    waft.health.setConsent(true);
    await pass(minute);
    expect(phone.server.counts()).toEqual({ app_launch: 1, 'js_error before': 1 });
    await phone.begin({ requireConsent: true }); // The decision is stored.
    await pass(minute);
    expect(phone.server.counts()).toMatchObject({ app_launch: 2 });
  });

  it('is not needed unless the app requires it', async () => {
    await phone.begin();
    await pass(minute);
    expect(phone.server.counts()).toEqual({ app_launch: 1 });
  });

  it('that is withdrawn deletes the waiting reports, and holds for later launches', async () => {
    phone.server.next.push(...Array<'away'>(100).fill('away'));
    const { waft } = await phone.begin();
    waft.health.captureException(new Error('before'));
    await pass(minute);
    expect(stored()).toContain('before');
    waft.health.setConsent(false);
    await pass(10);
    expect(stored()).not.toContain('before');
    phone.server.next.length = 0;
    phone.server.attempts.length = 0;
    waft.health.captureException(new Error('after'));
    phone.handler(new Error('fatal'), true);
    await waft.health.flush();
    await pass(minute);
    const { waft: later } = await phone.begin();
    later.health.track('later');
    await pass(10 * minute);
    expect(phone.server.attempts).toEqual([]);
    expect(stored()).not.toMatch(/after|fatal|later/);
    later.health.setConsent(true);
    later.health.track('again');
    await pass(minute);
    expect(phone.server.counts()).toEqual({ 'custom again': 1 });
  });

  it.each([
    ['that was refused', {}, false],
    ['that was refused where it is required', { requireConsent: true }, false],
    ['that was given where it is required', { requireConsent: true }, true],
  ])('%s holds when the storage responds late', async (_what, options, isGiven) => {
    const { waft } = await phone.begin(options);
    waft.health.setConsent(isGiven);
    await pass(minute);
    phone.server.attempts.length = 0;
    await phone.kill();
    phone.server.next.push(...Array<'away'>(100).fill('away')); // Only what is sent after the storage has responded counts.
    const respond = phone.storage.hush();
    const { waft: later } = await phone.begin(options);
    later.health.track('later');
    await pass(3500);
    respond();
    await pass(10);
    phone.server.next.length = 0;
    phone.server.attempts.length = 0;
    later.health.track('much later');
    await pass(10 * minute);
    expect(phone.server.attempts.length > 0).toBe(isGiven);
    expect(stored().includes('later')).toBe(false);
  });

  it.each([true, false])('that is given while the stored decision is read counts instead of it: %s', async (isGiven) => {
    const { waft } = await phone.begin({ requireConsent: true });
    waft.health.setConsent(!isGiven);
    await pass(minute);
    await phone.kill();
    phone.server.attempts.length = 0;
    const respond = phone.storage.hush();
    const { waft: later } = await phone.begin({ requireConsent: true });
    later.health.setConsent(isGiven);
    await pass(1000);
    respond();
    await pass(minute);
    expect(phone.server.attempts.length > 0).toBe(isGiven);
  });

  it('is not asked for flags and updates, which the app needs', async () => {
    phone.server.flags = { dark: { value: true, variant: 'On', reason: 'DEFAULT' } };
    const { waft } = await phone.begin({ requireConsent: true });
    await waft.flags.initialize?.({});
    expect(waft.flags.resolveBooleanEvaluation('dark', false, {}, console).value).toBe(true);
  });
});

describe('sampleRate', () => {
  const report = async (options: WaftOptions): Promise<number> => {
    const other = new Phone();
    const { waft } = await other.begin(options);
    waft.health.captureException(new Error('e'), { isFatal: true });
    await pass(10_000);
    await other.kill();
    return other.server.attempts.length;
  };

  it('is the share of devices that report, so that percentages of devices stay true', async () => {
    const sent: number[] = [];
    for (let n = 0; n < 100; n += 1) {
      sent.push(await report({ sampleRate: 0.3, deviceId: `device-${n}` }));
    }
    const reporting = sent.filter((n) => n > 0).length;
    expect(reporting).toBeGreaterThan(10);
    expect(reporting).toBeLessThan(55);
    for (let n = 0; n < 20; n += 1) {
      expect(await report({ sampleRate: 0.3, deviceId: `device-${n}` }) > 0).toBe((sent[n] ?? 0) > 0);
    }
  }, 60_000); // It loads the package for each device.

  it('of 0 reports nothing, and of 1 everything', async () => {
    expect(await report({ sampleRate: 0 })).toBe(0);
    expect(await report({ sampleRate: 1 })).toBeGreaterThan(0);
    await expect(report({ sampleRate: 1.5 })).rejects.toThrow('sampleRate must be a number from 0 to 1');
  });
});

describe('the user', () => {
  const user = { id: 'u-1', email: 'ada@example.com', username: 'ada' };

  it('is on errors by the id alone, and on no other event', async () => {
    const { waft } = await phone.begin();
    waft.health.setUser(user);
    waft.health.track('checkout');
    waft.health.captureException(new Error('e'), { tags: { screen: 'basket' } });
    await pass(minute);
    expect(errors()[0]?.tags).toEqual({ 'user.id': 'u-1', screen: 'basket' });
    expect(phone.server.reports.flatMap((r) => r.events).find((e) => e.name === 'checkout')?.tags).toBeUndefined();
    expect(JSON.stringify(phone.server.reports)).not.toContain('ada');
  });

  it('has a name and an address if the app sends personal data, until it is removed', async () => {
    const { waft } = await phone.begin({ sendPersonalData: true });
    waft.health.setUser(user);
    waft.health.captureException(new Error('with'));
    waft.health.setUser(null);
    waft.health.captureException(new Error('without'));
    await pass(minute);
    expect(errors().map((event) => event.tags)).toEqual([{ 'user.id': 'u-1', 'user.email': 'ada@example.com', 'user.username': 'ada' }, undefined]);
  });
});

describe('a user as apps have them', () => {
  it('has an id that is a number, and fields without a value', async () => {
    const { waft } = await phone.begin({ sendPersonalData: true });
    waft.health.setUser({ id: 42, email: null, username: undefined } as never);
    waft.health.captureException(new Error('e'));
    waft.health.setUser({ id: 'x'.repeat(5000) });
    waft.health.captureException(new Error('e'), { tags: Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`tag ${n}`, 'v'])) });
    await pass(minute);
    expect(errors()[0]?.tags).toEqual({ 'user.id': '42' });
    expect(Object.keys(errors()[1]?.tags ?? {})).toHaveLength(32);
    expect(errors()[1]?.tags?.['user.id']).toBe('x'.repeat(256));
  });
});

describe('what an event of the session before carries', () => {
  it('is not the user, the breadcrumbs or the flags of this session', async () => {
    phone.server.flags = { dark: { value: true, variant: 'On', reason: 'DEFAULT' } };
    await phone.begin();
    await pass(minute);
    phone.log = [{ timestamp: Date.now(), level: 'error', code: 'JSRuntimeError', message: 'before the first screen', updateId: 'b' }];
    let resolve = (): void => undefined;
    const promise = new Promise<void>((resolved) => {
      resolve = resolved;
    });
    const getItem = phone.storage.getItem.bind(phone.storage);
    phone.storage.getItem = (key) => (key.endsWith('/session') ? promise.then(() => getItem(key)) : getItem(key));
    const { waft } = await phone.begin();
    waft.health.setUser({ id: 'u-2' });
    waft.health.addBreadcrumb({ message: 'Basket' });
    await waft.flags.initialize?.({});
    waft.flags.resolveBooleanEvaluation('dark', false, {}, console);
    resolve();
    await pass(minute);
    waft.health.captureException(new Error('of this session'));
    await pass(minute);
    const [before, now] = errors();
    expect(before).toMatchObject({ type: 'crash', message: 'before the first screen' });
    expect([before?.tags, before?.breadcrumbs, before?.flagStates]).toEqual([undefined, undefined, undefined]);
    expect(now).toMatchObject({ tags: { 'user.id': 'u-2' }, breadcrumbs: [{ message: 'Basket' }], flagStates: { dark: 'true' } });
  });
});

describe('a mistake in beforeSend', () => {
  it.each<[string, unknown, RegExp]>([
    ['is async', (event: HealthEvent) => Promise.resolve(event), /beforeSend returned a Promise.*an event or null/],
    ['forgets to return', () => undefined, /beforeSend returned undefined.*an event or null/],
    ['returns something else', () => ({ type: 'none' }), /beforeSend returned an invalid event/],
    ['throws', () => { throw new Error('hook failed'); }, /beforeSend failed: hook failed/],
  ])('is told once and drops the event: it %s', async (_what, beforeSend, message) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const told: object[] = [];
    const { waft } = await phone.begin({ beforeSend: beforeSend as never, onError: (error) => told.push(error) });
    waft.health.captureException(new Error('secret'));
    await pass(minute);
    expect(told).toEqual([{ code: 'before_send', message: expect.stringMatching(message) as string }]);
    expect(phone.server.attempts).toEqual([]);
    expect(warn).not.toHaveBeenCalled(); // This is not development.
  });

  it('is not to drop an event', async () => {
    const told: object[] = [];
    const { waft } = await phone.begin({ beforeSend: () => null, onError: (error) => told.push(error) });
    waft.health.captureException(new Error('secret'));
    await pass(minute);
    expect([told, phone.server.attempts]).toEqual([[], []]);
  });
});

describe('breadcrumbs', () => {
  it('are on errors and crashes, the oldest first, with the moves of the app and its events', async () => {
    const { waft, become } = await phone.begin();
    waft.health.addBreadcrumb({ category: 'navigation', message: 'Basket', data: { from: 'Home' } });
    become('background');
    become('active');
    waft.health.track('checkout');
    waft.health.captureException(new Error('e'));
    await pass(minute);
    expect(errors()[0]?.breadcrumbs).toMatchObject([
      { timestamp: '2026-03-01T12:00:00.000Z', category: 'navigation', message: 'Basket', level: 'info', data: { from: 'Home' } },
      { category: 'app', message: 'background' },
      { category: 'app', message: 'foreground' },
      { category: 'track', message: 'checkout' },
    ]);
    const [launch] = phone.server.reports.flatMap((r) => r.events).filter((e) => e.type !== 'js_error');
    expect(launch).not.toHaveProperty('breadcrumbs');
  });

  it('are the last fifty, cut to the limits, and do not make equal errors different', async () => {
    const { waft } = await phone.begin();
    const fail = (): Error => new Error('again');
    for (let n = 0; n < 200; n += 1) {
      waft.health.addBreadcrumb({ message: `step ${n}` });
      waft.health.captureException(fail());
    }
    waft.health.addBreadcrumb({ message: 'x'.repeat(5000), level: 'error', data: { long: 'y'.repeat(5000) } });
    waft.health.addBreadcrumb(undefined as never);
    waft.health.addBreadcrumb({ message: 7, data: 'no' } as never);
    waft.health.captureException(new Error('last'));
    await pass(minute);
    expect(phone.server.counts()).toEqual({ app_launch: 1, 'js_error again': 200, 'js_error last': 1 });
    const crumbs = errors()[1]?.breadcrumbs ?? [];
    expect(crumbs).toHaveLength(50);
    expect(crumbs[48]).toMatchObject({ message: 'x'.repeat(512), level: 'error', data: { long: 'y'.repeat(256) } });
    expect(crumbs[49]).toMatchObject({ message: '7' });
  });

  it('can be removed by beforeSend', async () => {
    const { waft } = await phone.begin({ beforeSend: (event) => ({ ...event, breadcrumbs: [] }) });
    waft.health.addBreadcrumb({ message: 'secret' });
    waft.health.captureException(new Error('e'));
    await pass(minute);
    expect(JSON.stringify(phone.server.reports)).not.toContain('secret');
    expect(errors()).toHaveLength(1);
  });
});
