import { afterEach, beforeEach, expect, it } from 'vitest';
import { minute, pass } from '../app';
import { endPhone, makePhone, type Phone } from './phone';

let phone: Phone;

beforeEach(() => {
  phone = makePhone();
});

afterEach(async () => {
  await endPhone(phone);
});

it('reports each launch of an app that installs the packed package', async () => {
  await phone.begin();
  await pass(minute);
  await phone.begin();
  await pass(minute);
  expect(phone.server.counts()).toEqual({ app_launch: 2, 'custom abnormal_exit': 1 });
});
