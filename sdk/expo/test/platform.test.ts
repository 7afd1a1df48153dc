import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FakeServer, minute, pass } from './app';
import { nativeModules } from './doubles/expo-modules-core';
import { Platform } from './doubles/react-native';

beforeEach(() => {
  vi.useFakeTimers();
  nativeModules.ExpoUpdates = { addListener: () => ({ remove: () => undefined }), initialContext: {} };
  Platform.OS = 'web';
});

afterEach(() => {
  Platform.OS = 'ios';
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it.each([['a page', {}, 2], ['a page that is rendered ahead, by a build or a server', undefined, 0]])(
  'asks for flags and reports in %s: %#', async (_name, document, requests) => {
    vi.stubGlobal('document', document);
    const server = new FakeServer();
    const asked = vi.fn(server.fetch);
    vi.stubGlobal('fetch', (url: string, init?: RequestInit) => (url.includes('flag-stream') ? new Promise(() => undefined) : asked(url, init)));
    const { createWaft } = await import('../src/index');
    const waft = createWaft({ project: `shop-${requests}` }); // Each row needs a Waft of its own.
    waft.start();
    const isReady = Promise.resolve(waft.flags.initialize?.({})).then(() => true, () => false);
    await pass(5000);
    expect(await isReady).toBe(requests > 0);
    await pass(10 * minute);
    expect(asked).toHaveBeenCalledTimes(requests);
    waft.stop();
    await waft.flags.onClose?.();
  },
);
