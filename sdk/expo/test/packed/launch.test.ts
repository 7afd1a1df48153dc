import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { minute, pass } from '../app';
import { Phone } from './phone';

let phone: Phone;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-03-01T12:00:00Z') });
  vi.stubGlobal('CompressionStream', undefined); // As in Hermes. Streams do not follow the fake clock.
  phone = new Phone();
});

afterEach(async () => {
  await phone.kill();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('reports each launch of an app that installs the packed package', async () => {
  await phone.begin();
  await pass(minute);
  await phone.begin();
  await pass(minute);
  expect(phone.server.counts()).toEqual({ app_launch: 2, 'custom abnormal_exit': 1 });
});
