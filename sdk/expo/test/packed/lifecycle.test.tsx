import { Window } from 'happy-dom';
import { act, StrictMode, Suspense, use, type ReactNode } from 'react';
import type { Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { minute, pass } from '../app';
import { makePhone, type Phone, type Process } from './phone';

const nothing = { timers: 0, listeners: 0, requests: 0, streams: 0, handlers: 0 };

let phone: Phone;

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined); // React logs errors of components.
  phone = makePhone();
});

afterEach(async () => {
  await phone.kill();
  const { OpenFeature } = await import('@openfeature/react-sdk');
  await OpenFeature.clearProviders();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Makes a place to render the app. React's renderer reads the global document only when it is loaded. React Native does not have one. */
async function makeRoot(): Promise<Root> {
  const window = new Window();
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('window', window);
  vi.stubGlobal('navigator', window.navigator);
  vi.stubGlobal('document', window.document);
  const { createRoot } = await import('react-dom/client');
  Reflect.deleteProperty(globalThis, 'document');
  return createRoot(window.document.createElement('main') as unknown as HTMLElement);
}

async function show(root: Root, content: ReactNode): Promise<void> {
  await act(async () => {
    root.render(content);
    await pass(0);
  });
}

/** Starts the app without a provider. */
async function startFlags(app: Process): Promise<void> {
  const { OpenFeature } = await import('@openfeature/web-sdk');
  OpenFeature.setProvider(app.waft.flags);
  await pass(1000);
}

it('ends every timer, listener and connection when it stops, and begins again', async () => {
  const app = await phone.begin();
  await startFlags(app);
  expect(app.remains()).toMatchObject({ listeners: 1, streams: 1, handlers: 1 });
  app.waft.stop();
  await pass(0);
  expect(app.remains()).toEqual(nothing);
  app.become('background');
  app.become('active');
  await pass(minute);
  expect(app.remains()).toEqual(nothing);
  app.waft.start();
  await pass(1000);
  expect(app.remains()).toMatchObject({ listeners: 1, streams: 1, handlers: 1 });
  app.become('background');
  await pass(0);
  expect(app.remains()).toMatchObject({ streams: 0 });
});

it('sends nothing while it is stopped, and what the app has reported until then when it starts again', async () => {
  const app = await phone.begin();
  await pass(minute);
  app.waft.stop();
  app.waft.health.track('while stopped');
  await app.waft.health.flush();
  await pass(minute);
  expect(phone.server.counts()).toEqual({ app_launch: 1 });
  expect(app.remains()).toEqual(nothing);
  app.waft.start();
  await pass(minute);
  expect(phone.server.counts()).toEqual({ 'app_launch': 1, 'custom while stopped': 1 });
});

it('ends requests that the server does not answer', async () => {
  phone.server.network = 'silent';
  const app = await phone.begin();
  await startFlags(app);
  app.waft.health.track('waiting');
  await pass(2 * minute);
  void app.waft.updates.check();
  await pass(10);
  expect(app.remains().requests).toBeGreaterThan(0);
  app.waft.stop();
  await pass(0);
  expect(app.remains()).toEqual(nothing);
});

it('does not listen to the app before it starts', async () => {
  const app = await phone.begin({ enabled: false });
  const before = app.remains().listeners;
  app.module.createWaft({ enabled: false });
  expect(app.remains().listeners).toBe(before);
});

it('stops with the last provider', async () => {
  const app = await phone.begin();
  const { WaftProvider } = app.module;
  const [one, two] = [await makeRoot(), await makeRoot()];
  const tree = (
    <StrictMode>
      <WaftProvider waft={app.waft}>
        <WaftProvider waft={app.waft}>well</WaftProvider>
      </WaftProvider>
    </StrictMode>
  );
  await show(one, tree);
  await show(two, tree);
  await pass(1000);
  expect(app.remains()).toMatchObject({ listeners: 1, streams: 1, handlers: 1 });
  await show(one, null);
  expect(app.remains()).toMatchObject({ listeners: 1, streams: 1, handlers: 1 });
  await show(two, null);
  expect(app.remains()).toEqual(nothing);
  await show(one, tree);
  await pass(1000);
  expect(app.remains()).toMatchObject({ listeners: 1, streams: 1, handlers: 1 });
  await show(one, null);
  expect(app.remains()).toEqual(nothing);
});

it('stays started from one screen to the next', async () => {
  const app = await phone.begin();
  const stop = vi.spyOn(app.waft, 'stop');
  const { WaftProvider } = app.module;
  const root = await makeRoot();
  for (const screen of ['one', 'two', 'three']) {
    await show(root, <WaftProvider key={screen} waft={app.waft}>{screen}</WaftProvider>);
  }
  expect(stop).not.toHaveBeenCalled();
  await show(root, null);
  expect(stop).toHaveBeenCalledOnce();
});

it('stays started while React hides the app, until what the app waits for is there', async () => {
  const app = await phone.begin();
  const stop = vi.spyOn(app.waft, 'stop');
  const { WaftProvider } = app.module;
  const root = await makeRoot();
  let come = (): void => undefined;
  const wait = new Promise<void>((resolve) => (come = resolve));
  const Waiting = (): ReactNode => {
    use(wait);
    return 'well';
  };
  const tree = (screen: ReactNode): ReactNode => (
    <Suspense fallback="wait">
      <WaftProvider waft={app.waft}>{screen}</WaftProvider>
    </Suspense>
  );
  await show(root, tree('home'));
  await show(root, tree(<Waiting />));
  expect(stop).not.toHaveBeenCalled();
  come();
  await show(root, tree(<Waiting />));
  expect(stop).not.toHaveBeenCalled();
  await show(root, null);
  expect(stop).toHaveBeenCalledOnce();
});

it('moves from one Waft to another', async () => {
  const app = await phone.begin();
  const other = app.module.createWaft({ enabled: false });
  const [stop, stopOther] = [vi.spyOn(app.waft, 'stop'), vi.spyOn(other, 'stop')];
  const root = await makeRoot();
  const { WaftProvider } = app.module;
  await show(root, <WaftProvider waft={app.waft}>one</WaftProvider>);
  await show(root, <WaftProvider waft={other}>two</WaftProvider>);
  expect([stop, stopOther].map((spy) => spy.mock.calls.length)).toEqual([1, 0]);
  await show(root, null);
  expect([stop, stopOther].map((spy) => spy.mock.calls.length)).toEqual([1, 1]);
});

it('is the same Waft in a component that creates one at each render', async () => {
  const { module, waft } = await phone.begin();
  const App = (): ReactNode => {
    const own = module.createWaft({ project: 'shop', storage: phone.storage, onError: () => undefined });
    return <module.WaftProvider waft={own}>well</module.WaftProvider>;
  };
  waft.stop();
  const root = await makeRoot();
  for (let n = 0; n < 5; n += 1) {
    await show(root, <StrictMode key="app"><App /></StrictMode>);
    await pass(minute);
  }
  expect(phone.server.counts()).toEqual({ app_launch: 1 });
  expect(phone.server.streams.size).toBe(1);
  await show(root, null);
  expect(phone.server.streams.size).toBe(0);
});

it('does not stop when React unmounts an app that failed, so that the end of the app counts as one', async () => {
  const app = await phone.begin();
  const root = await makeRoot();
  const { WaftProvider } = app.module;
  const Broken = (): ReactNode => {
    throw new Error('no price');
  };
  await show(root, <WaftProvider waft={app.waft}>well</WaftProvider>);
  await expect(show(root, <WaftProvider waft={app.waft}><Broken /></WaftProvider>)).rejects.toThrow('no price');
  await pass(minute);
  expect(app.remains()).toMatchObject({ listeners: 1, handlers: 1 });
});

describe('an app that fails to render', () => {
  const Broken = (): ReactNode => {
    throw new Error('no price');
  };

  // React Native ends the app after such an error without calling the handler of uncaught errors.
  it('is a crash with its components, which is stored before the error goes on', async () => {
    phone.server.next.push(...Array<'away'>(100).fill('away'));
    const { module: { WaftProvider }, waft } = await phone.begin();
    const root = await makeRoot();
    let whenThrown = '';
    await show(root, <WaftProvider waft={waft}>well</WaftProvider>);
    await expect(show(root, <WaftProvider waft={waft}><Broken /></WaftProvider>).catch((error: unknown) => {
      whenThrown = JSON.stringify([...phone.storage.content]);
      throw error;
    })).rejects.toThrow('no price');
    expect(whenThrown).toContain('no price');
    phone.server.next.length = 0;
    await phone.begin();
    await pass(minute);
    expect(phone.server.counts()).toEqual({ app_launch: 2, 'crash no price': 1 });
    const crash = phone.server.reports.flatMap((report) => report.events).find((event) => event.type === 'crash');
    expect(crash?.componentStack).toContain('Broken');
  });

  it('waits two seconds for a silent storage and server, and not longer', async () => {
    const { module: { WaftProvider }, waft } = await phone.begin();
    const root = await makeRoot();
    await show(root, <WaftProvider waft={waft}>well</WaftProvider>);
    await pass(minute);
    phone.storage.hush();
    phone.server.network = 'silent';
    await show(root, <WaftProvider waft={waft}><Broken /></WaftProvider>);
    await expect(act(() => pass(2000))).rejects.toThrow('no price');
  });

  it('leaves the error to a boundary of the app above the provider', async () => {
    const { module: { WaftProvider, WaftErrorBoundary }, waft } = await phone.begin();
    const root = await makeRoot();
    const caught: unknown[] = [];
    await show(root, (
      <WaftErrorBoundary fallback={(error) => { caught.push(error); return 'sorry'; }}>
        <WaftProvider waft={waft}><Broken /></WaftProvider>
      </WaftErrorBoundary>
    ));
    await act(() => pass(2000));
    expect(caught[0]).toMatchObject({ message: 'no price' });
    await pass(minute);
    expect(phone.server.counts()).toEqual({ app_launch: 1, 'crash no price': 1 });
  });
});
