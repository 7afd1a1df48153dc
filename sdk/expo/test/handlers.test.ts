import { expect, it } from 'vitest';
import { handleUncaught } from '../src/handlers';

type Handler = (error: unknown, isFatal?: boolean) => void;

function native(): { globals: object; fail: Handler; reject: (error: unknown) => void; ended: unknown[] } {
  const ended: unknown[] = [];
  let handler: Handler = (error) => ended.push(error);
  let onUnhandled: (id: number, error: unknown) => void = () => undefined;
  const globals = {
    ErrorUtils: {
      getGlobalHandler: () => handler,
      setGlobalHandler: (next: Handler) => {
        handler = next;
      },
    },
    HermesInternal: {
      enablePromiseRejectionTracker: (options: { onUnhandled: typeof onUnhandled }) => {
        onUnhandled = options.onUnhandled;
      },
    },
  };
  return {
    globals, ended,
    fail: (error, isFatal) => {
      handler(error, isFatal);
    },
    reject: (error) => {
      onUnhandled(1, error);
    },
  };
}

it('tells of errors in React Native, and lets the app end only when that is done', async () => {
  const app = native();
  const told: unknown[] = [];
  let done = (): void => undefined;
  const release = handleUncaught((error, isFatal) => {
    told.push([error, isFatal]);
    return new Promise((resolve) => (done = resolve));
  }, app.globals);
  app.fail('mild', false);
  app.reject('rejected');
  app.fail('fatal', true);
  expect(told).toEqual([['mild', false], ['rejected', false], ['fatal', true]]);
  expect(app.ended).toEqual(['mild']);
  done();
  await new Promise(setImmediate);
  expect(app.ended).toEqual(['mild', 'fatal']);
  release();
  app.fail('later', true);
  app.reject('later');
  expect(told).toHaveLength(3);
  expect(app.ended).toHaveLength(3);
});

it('tells of errors in a page, none of them fatal', () => {
  const page = Object.assign(new EventTarget(), { document: {}, ErrorUtils: native().globals });
  const told: unknown[] = [];
  const release = handleUncaught((error, isFatal) => {
    told.push([error, isFatal]);
    return Promise.resolve();
  }, page);
  const fire = (): void => {
    page.dispatchEvent(Object.assign(new Event('error'), { error: 'thrown' }));
    page.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason: 'rejected' }));
  };
  fire();
  release();
  fire();
  expect(told).toEqual([['thrown', false], ['rejected', false]]);
});
