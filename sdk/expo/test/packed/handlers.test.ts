import { afterEach, beforeEach, expect, it } from 'vitest';
import { minute, pass } from '../app';
import type { TrackerOptions } from '../doubles/hermes';
import { endPhone, makePhone, type ErrorHandler, type Phone } from './phone';

interface Globals {
  ErrorUtils: { getGlobalHandler(): ErrorHandler; setGlobalHandler(handler: ErrorHandler): void };
  HermesInternal: { enablePromiseRejectionTracker(options: TrackerOptions): void };
  Promise: { _l: unknown; _m: unknown };
}

let phone: Phone;

beforeEach(() => {
  phone = makePhone();
  phone.isHermes = true;
});

afterEach(async () => {
  await endPhone(phone);
});

/** Another reporter of errors, which handles errors as Sentry does: it passes them on, and replaces the tracker of rejections. */
class Reporter {
  readonly errors: unknown[] = [];
  readonly rejections: unknown[] = [];
  readonly handled: number[] = [];

  begin(): void {
    const { ErrorUtils, HermesInternal } = globalThis as unknown as Globals;
    const below = ErrorUtils.getGlobalHandler();
    ErrorUtils.setGlobalHandler((error, isFatal) => {
      this.errors.push(error);
      // eslint-disable-next-line @typescript-eslint/no-floating-promises -- As Sentry does, after it has sent the error.
      Promise.resolve().then(() => {
        below(error, isFatal);
      });
    });
    HermesInternal.enablePromiseRejectionTracker({
      allRejections: true,
      onUnhandled: (_id, error) => this.rejections.push(error),
      onHandled: (id) => this.handled.push(id),
    });
  }
}

/** Rejects a promise, without a handler for it. */
function reject(error: unknown): Promise<unknown> {
  return Promise.resolve().then(() => {
    throw error;
  });
}

function fail(error: unknown, isFatal: boolean): void {
  (globalThis as unknown as Globals).ErrorUtils.getGlobalHandler()(error, isFatal);
}

it('leaves the rejections to a reporter that was there before it', async () => {
  const sentry = new Reporter();
  await phone.begin({}, () => {
    sentry.begin();
  });
  const late = reject('late');
  void reject('never');
  reject('handled').catch(() => undefined);
  const early = reject('handled before');
  void early.then(undefined, () => undefined);
  await pass(3000);
  expect(sentry.rejections).toEqual(['late', 'never']);
  late.catch(() => undefined);
  expect(sentry.handled).toEqual([0]);
  await pass(minute);
  expect(phone.server.counts()).toEqual({ app_launch: 1, 'js_error late': 1, 'js_error never': 1 });
});

it('gets rejections even if a reporter begins after it', async () => {
  await phone.begin();
  const sentry = new Reporter();
  sentry.begin();
  void reject(new TypeError('soon'));
  await pass(100);
  expect(sentry.rejections).toHaveLength(1);
  await pass(minute);
  expect(phone.server.counts()).toEqual({ app_launch: 1, 'js_error soon': 1 });
});

it('restores the handlers that were there when it stops', async () => {
  const sentry = new Reporter();
  const all = globalThis as unknown as Globals;
  let before: unknown[] = [];
  const found = (): unknown[] => [all.ErrorUtils.getGlobalHandler(), ...['_l', '_m'].map((hook) => Object.getOwnPropertyDescriptor(Promise, hook))];
  const { waft } = await phone.begin({}, () => {
    sentry.begin();
    before = found();
  });
  void reject('just before the end');
  await pass(10);
  waft.stop();
  expect(found()).toEqual(before);
  void reject('after the end');
  fail('after the end', false);
  await pass(minute);
  expect(sentry.rejections).toEqual(['just before the end', 'after the end']);
  expect(sentry.errors).toEqual(['after the end']);
  waft.start();
  void reject('again');
  await pass(minute);
  expect(phone.server.counts()).toEqual({ app_launch: 1, 'js_error again': 1 });
});

it('leaves handlers in place that were added on top of it, and passes on what they pass to it', async () => {
  const [below, above] = [new Reporter(), new Reporter()];
  const all = globalThis as unknown as Globals;
  const { waft } = await phone.begin({}, () => {
    below.begin();
  });
  above.begin();
  await pass(minute);
  const [top, hook] = [all.ErrorUtils.getGlobalHandler(), all.Promise._m];
  waft.stop();
  expect(all.ErrorUtils.getGlobalHandler()).toBe(top);
  fail('fatal', true);
  void reject('rejected');
  await pass(minute);
  expect([above.errors, below.errors, phone.ended]).toEqual([['fatal'], ['fatal'], ['fatal']]);
  expect(above.rejections).toEqual(['rejected']);
  expect(all.Promise._m).not.toBe(hook);
  expect(phone.server.counts()).toEqual({ app_launch: 1 });
});

it('leaves a hook in place that was added on top of it, and passes on what the hook passes to it', async () => {
  const below = new Reporter();
  const all = globalThis as unknown as { Promise: Record<'_m', (promise: unknown, error: unknown) => void> };
  const { waft } = await phone.begin({}, () => {
    below.begin();
  });
  const seen: unknown[] = [];
  const passed = all.Promise._m;
  const top = (promise: unknown, error: unknown): void => {
    seen.push(error);
    passed(promise, error);
  };
  all.Promise._m = top;
  void reject('one');
  await pass(3000);
  waft.stop();
  expect(all.Promise._m).toBe(top);
  void reject('two');
  await pass(minute);
  expect(seen).toEqual(['one', 'two']);
  expect(below.rejections).toEqual(['one', 'two']);
  waft.start();
  await pass(minute);
  expect(phone.server.counts()).toEqual({ app_launch: 1, 'js_error one': 1 });
});

it('reports a fatal error once between two reporters, which get it too', async () => {
  const [below, above] = [new Reporter(), new Reporter()];
  const error = new Error('fatal');
  await phone.begin({}, () => {
    below.begin();
  });
  above.begin();
  fail(error, true);
  fail('thrown text', true);
  fail('thrown text', true);
  await pass(minute);
  expect([above.errors.length, below.errors.length]).toEqual([3, 3]);
  expect(phone.ended).toEqual(expect.arrayContaining([error, 'thrown text']));
  expect(phone.server.counts()).toEqual({ app_launch: 1, 'crash fatal': 1, 'crash thrown text': 1 });
});
