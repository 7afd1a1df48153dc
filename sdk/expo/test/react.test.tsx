// @vitest-environment happy-dom
import { OpenFeature, useBooleanFlagValue } from '@openfeature/react-sdk';
import { act, StrictMode, useEffect, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { NativeUpdates } from './doubles/expo-updates-native';
import { nativeModules } from './doubles/expo-modules-core';
import { FakeServer } from './app';
import { memoryStorage } from './memory';

let server: FakeServer;
let page: HTMLElement;
let root: ReturnType<typeof createRoot>;
/** Sends a change from the native module to expo-updates. */
let tell: (event: object) => void;

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  server = new FakeServer();
  vi.stubGlobal('fetch', server.fetch);
  const native = new NativeUpdates({
    url: 'https://ota.test/v1/ota/manifest/demo', channel: 'production', runtimeVersion: '1.0.0', platform: 'ios', clientId: 'c',
    fetch: server.fetch,
  });
  nativeModules.ExpoUpdates = {
    ...native.module(),
    addListener: (_type: string, listener: typeof tell) => {
      tell = listener; // expo-updates adds a listener when it is loaded.
      return { remove: () => undefined };
    },
  };
  page = document.createElement('main');
  root = createRoot(page);
});

afterEach(async () => {
  await act(async () => {
    root.unmount();
    await OpenFeature.clearProviders();
  });
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function show(content: ReactNode): Promise<void> {
  await act(async () => {
    root.render(content);
    await new Promise((resolve) => setTimeout(resolve, 50));
  });
}

it('does it all', async () => {
  const { createWaft, useWaftUpdates, WaftErrorBoundary, WaftProvider } = await import('../src/index');
  server.flags = { dark: { value: true, variant: 'On', reason: 'DEFAULT' } };
  const waft = createWaft({ storage: memoryStorage() });
  const Screen = (): ReactNode => {
    const { status, progress } = useWaftUpdates();
    return `${status} ${progress} ${useBooleanFlagValue('dark', false) ? 'dark' : 'light'} `;
  };
  const Broken = (): ReactNode => {
    if (useBooleanFlagValue('dark', false)) {
      throw new RangeError('no price');
    }
    return 'well';
  };
  await show(
    <WaftProvider waft={waft} context={{ targetingKey: 'ada' }}>
      <Screen />
      <WaftErrorBoundary fallback="sorry">
        <Broken />
      </WaftErrorBoundary>
    </WaftProvider>,
  );
  expect(page.textContent).toBe('up_to_date 0 dark sorry');
  await waft.health.flush();
  await vi.waitFor(() => {
    expect(server.counts()).toEqual({ app_launch: 1, 'js_error no price': 1 });
  });
  const error = server.reports.flatMap((r) => r.events).find((e) => e.type === 'js_error');
  expect(error).toMatchObject({ errorName: 'RangeError', flagStates: { dark: 'true' } });
  expect(error?.componentStack).toContain('Broken');
  waft.stop();
});

it('reports one launch, asks once and keeps its listeners few in StrictMode, through other contexts and a second mounting', async () => {
  const { createWaft, useWaftUpdates, WaftProvider } = await import('../src/index');
  server.flags = { dark: { value: true, variant: 'On', reason: 'DEFAULT' } };
  const waft = createWaft({ storage: memoryStorage() });
  const listeners = new Set<() => void>();
  const subscribe = waft.updates.subscribe.bind(waft.updates);
  vi.spyOn(waft.updates, 'subscribe').mockImplementation((listener) => {
    const unsubscribe = subscribe(listener);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      unsubscribe();
    };
  });
  const effects: unknown[] = [];
  const Screen = (): ReactNode => {
    const { status, check } = useWaftUpdates();
    useEffect(() => {
      effects.push(check);
      void check();
    }, [check]);
    return `${status} ${useBooleanFlagValue('dark', false) ? 'dark' : 'light'}`;
  };
  const app = (user?: string): ReactNode => (
    <StrictMode>
      <WaftProvider waft={waft} {...(user ? { context: { targetingKey: user } } : {})}>
        <Screen />
      </WaftProvider>
    </StrictMode>
  );
  await show(app());
  expect(page.textContent).toBe('up_to_date dark');
  expect(effects.length).toBeLessThanOrEqual(2); // StrictMode runs an effect twice
  expect(listeners.size).toBe(1);
  await show(app('ada'));
  await show(app('ada'));
  expect(server.bulks).toMatchObject([{}, { targetingKey: 'ada' }]);
  expect(effects.length).toBeLessThanOrEqual(2);
  await show(null);
  expect(listeners.size).toBe(0);
  waft.health.track('while nothing is shown');
  await show(app('ada'));
  expect(page.textContent).toBe('up_to_date dark');
  expect(server.bulks).toHaveLength(2);
  await waft.health.flush();
  await vi.waitFor(() => {
    expect(server.counts()).toEqual({ app_launch: 1, 'custom while nothing is shown': 1 });
  });
  waft.stop();
});

it('shows how much of an update is downloaded', async () => {
  const { createWaft, useWaftUpdates, WaftProvider } = await import('../src/index');
  const waft = createWaft({ storage: memoryStorage() });
  const Screen = (): ReactNode => useWaftUpdates().progress;
  await show(<WaftProvider waft={waft}><Screen /></WaftProvider>);
  const shown = [page.textContent];
  for (const [n, downloadProgress] of [0.25, 0.5].entries()) {
    act(() => {
      tell({ context: { sequenceNumber: n + 1, isDownloading: true, downloadProgress } });
    });
    shown.push(page.textContent);
  }
  expect(shown).toEqual(['0', '0.25', '0.5']);
  act(() => {
    tell({ context: { sequenceNumber: 3, isDownloading: false } }); // expo-updates keeps its state, which later tests would see
  });
  expect(page.textContent).toBe('0');
  waft.stop();
});

it('does not fail with a context that is no JSON', async () => {
  const { createWaft, WaftProvider } = await import('../src/index');
  const waft = createWaft({ storage: memoryStorage() });
  const round: Record<string, unknown> = { targetingKey: 'ada' };
  round.self = round;
  await show(<WaftProvider waft={waft} context={round as { targetingKey: string }}>well</WaftProvider>);
  expect(page.textContent).toBe('well');
  waft.stop();
});

it('says that a provider is missing', async () => {
  const { useWaftUpdates } = await import('../src/index');
  const Screen = (): ReactNode => useWaftUpdates().status;
  await expect(show(<Screen />)).rejects.toThrow('need a <WaftProvider> above');
});
