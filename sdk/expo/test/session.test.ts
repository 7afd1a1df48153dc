import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeDevice, minute, pass } from './app';

const uuid = '6f6f2f0e-5b7e-4f4e-8f36-2f3f9d4d1c11';
const other = 'aaaaaaaa-5b7e-4f4e-8f36-2f3f9d4d1c11';
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

describe('the end of the session before', () => {
  it('is an abnormal exit of its update when nothing explains it', async () => {
    device.running = uuid;
    device.begin();
    await pass(minute);
    device.running = null;
    device.begin();
    await pass(minute);
    expect(device.server.counts()).toEqual({ app_launch: 2, 'custom abnormal_exit': 1 });
    expect(device.server.reports.find((r) => r.events.some((e) => e.name === 'abnormal_exit'))?.updateUuid).toBe(uuid);
  });

  it.each([
    ['in the background', () => { device.become('background'); }],
    ['after a crash that was reported', (waft: ReturnType<FakeDevice['begin']>) => { waft.health.captureException(new Error('c'), { isFatal: true }); }],
    ['after stop', (waft: ReturnType<FakeDevice['begin']>) => { waft.stop(); }],
  ])('is no abnormal exit %s', async (_name, end) => {
    const waft = device.begin();
    await pass(minute);
    end(waft);
    await pass(minute);
    device.state = 'active';
    device.begin();
    await pass(minute);
    expect(device.server.counts()).not.toHaveProperty('custom abnormal_exit');
  });

  it('is no abnormal exit when the session never left the background', async () => {
    device.state = 'background';
    device.begin();
    await pass(minute);
    device.state = 'active';
    device.begin();
    await pass(minute);
    expect(device.server.counts()).toEqual({ app_launch: 2 });
  });

  it('is a crash of the update that ran when the log of expo-updates says so', async () => {
    device.running = uuid;
    device.begin();
    await pass(minute);
    device.running = other;
    device.log = [{ timestamp: Date.now(), level: 'error', code: 'JSRuntimeError', message: 'ErrorRecovery: boom' }];
    device.begin();
    await pass(minute);
    device.begin(); // The log is still there.
    await pass(minute);
    expect(device.server.counts()).toEqual({ app_launch: 3, 'crash ErrorRecovery: boom': 1, 'custom abnormal_exit': 1 });
    expect(device.server.reports.find((r) => r.events.some((e) => e.type === 'crash'))?.updateUuid).toBe(uuid);
  });

  it('is a crash of the downloaded update after an emergency launch', async () => {
    device.running = uuid;
    device.updates = {
      ...device.updates,
      checkForUpdateAsync: () => Promise.resolve({ isAvailable: true, isRollBackToEmbedded: false }),
      fetchUpdateAsync: () => Promise.resolve({ isNew: true, isRollBackToEmbedded: false, manifest: { id: other } }),
    };
    device.begin();
    await pass(minute);
    device.become('background');
    await pass(1);
    device.state = 'active';
    device.launch = { isEmergencyLaunch: true, emergencyLaunchReason: 'no launchable update' };
    device.running = null;
    device.begin();
    await pass(minute);
    expect(device.server.counts()).toEqual({ app_launch: 2, 'crash no launchable update': 1 });
    expect(device.server.reports.find((r) => r.events.some((e) => e.type === 'crash'))?.updateUuid).toBe(other);
  });
});

describe('in tabs of a browser', () => {
  beforeEach(() => {
    device.os = 'web';
  });

  it('is no abnormal exit what is still open', async () => {
    device.open();
    await pass(minute);
    device.open();
    await pass(minute);
    expect(device.server.counts()).toEqual({ app_launch: 2 });
  });

  it('is an abnormal exit what broke off, once, whatever other tabs do', async () => {
    const [one, two] = [device.open(), device.open()];
    await pass(minute);
    two.kill();
    one.become('background');
    one.become('active');
    device.open();
    await pass(minute);
    device.open();
    await pass(minute);
    expect(device.server.counts()).toEqual({ app_launch: 4, 'custom abnormal_exit': 1 });
  });

  it('is no abnormal exit what was closed', async () => {
    const page = device.open();
    await pass(minute);
    page.become('background');
    await pass(0);
    page.kill();
    device.open();
    await pass(minute);
    expect(device.server.counts()).toEqual({ app_launch: 2 });
  });

  it('counts each event once, of all tabs', async () => {
    device.server.next.push(...Array<'away'>(100).fill('away'));
    const pages = [device.open(), device.open(), device.open()];
    for (let n = 0; n < 20; n += 1) {
      pages[n % 3]?.waft.health.track(`e${n}`);
      await pass(300);
      if (n % 5 === 4) {
        pages[n % 3]?.kill();
        pages[n % 3] = device.open();
      }
    }
    device.server.next.length = 0;
    await pass(20 * minute);
    const counts = Object.entries(device.server.counts()).filter(([name]) => name.startsWith('custom e'));
    expect(counts.sort()).toEqual(Array.from({ length: 20 }, (_, n) => [`custom e${n}`, 1]).sort());
  });

  it.each([['without locks', 0], ['when there are many', 20]])('is reported, and nothing else, %s', async (_name, others) => {
    device.hasLocks = others > 0;
    for (let n = 0; n < others; n += 1) {
      device.open({ enabled: false });
    }
    device.open().waft.health.track('seen');
    await pass(minute);
    device.open().kill();
    device.open();
    await pass(minute);
    expect(device.server.counts()).toEqual({ app_launch: 2, 'custom seen': 1 });
  });
});
