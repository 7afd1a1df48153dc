import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { pass } from '../app';
import { endPhone, makePhone, type Phone } from './phone';

let phone: Phone;

beforeEach(() => {
  phone = makePhone();
});

afterEach(async () => {
  vi.restoreAllMocks();
  await endPhone(phone);
});

it('serialises little more than the events, however many wait', async () => {
  phone.server.next.push(...Array<'away'>(1000).fill('away'));
  const { waft } = await phone.begin();
  const names = Array.from({ length: 10_000 }, (_, n) => `event ${n}`);
  const once = JSON.stringify(names.map((name) => ({ type: 'custom', name, tags: { step: name }, count: 1 }))).length;
  const stringify = JSON.stringify;
  let written = 0;
  vi.spyOn(JSON, 'stringify').mockImplementation((...given: Parameters<typeof stringify>) => {
    const text = stringify(...given);
    written += (text as string | undefined)?.length ?? 0;
    return text;
  });
  for (const name of names) {
    waft.health.track(name, { step: name });
  }
  expect(written).toBeLessThan(2 * once);
  await pass(1000);
  expect(written).toBeLessThan(6 * once);
});
