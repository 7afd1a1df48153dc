import type * as Package from '@waft/expo';
import { vi } from 'vitest';
import type { Waft, WaftOptions } from '@waft/expo';
import type { LogEntry } from '../../src/launches';
import { FakeServer } from '../app';
import { hermes } from '../doubles/hermes';
import { memoryStorage, type MemoryStorage } from '../memory';

/** A handler of uncaught errors, as React Native has one. */
export type ErrorHandler = (error: unknown, isFatal?: boolean) => void;

/** A process of the app. */
export interface Process {
  /** The exports of the package, loaded for this process. */
  module: typeof Package;
  waft: Waft;
  /** Moves the app to the foreground ("active") or the background. */
  become: (state: string) => void;
  /** Returns what the package has not ended: timers, listeners of AppState, requests, streams and handlers of errors. */
  remains: () => Record<string, number>;
}

/**
 * A phone with an app that uses the packed package through its public interface. React Native and the native modules are doubles; the
 * data in `storage` outlives each process. Call it with fake timers.
 */
export class Phone {
  readonly storage: MemoryStorage = memoryStorage();
  readonly server = new FakeServer();
  /** The errors for which React Native has ended the process. */
  readonly ended: unknown[] = [];
  /** The log of expo-updates. */
  log: LogEntry[] = [];
  /** React Native's handler of uncaught errors. */
  handler: ErrorHandler = (error) => this.ended.push(error);
  /**
   * When the native code of expo-updates checks for updates: before the JavaScript of a process starts, after that, or never. With "first"
   * it checks before, and runs what it downloads immediately, as with a `fallbackToCacheTimeout`.
   */
  checks: 'first' | 'before' | 'after' | 'never' = 'never';
  /** True if events of expo-updates come before the results that belong to them. */
  isEventFirst = false;
  /** Number of times that the app was restarted for an update. Call begin after that. */
  restarts = 0;
  /** The data of expo-updates. */
  #updates: string | undefined;
  /** True to run each process with the Promise of Hermes. */
  isHermes = false;
  #kill: () => Promise<void> = () => Promise.resolve();

  /** Kills the running process, then starts a process of the app, which loads the package again. Calls before when that process starts. */
  async begin(options: WaftOptions = {}, before: () => Promise<void> | void = () => undefined): Promise<Process> {
    await this.kill();
    vi.resetModules();
    const { storage, server } = this;
    let alive = true;
    const deaf = new Promise<never>(() => undefined);
    vi.stubGlobal('fetch', (url: string, init?: RequestInit) => server.fetch(url, init));
    const native: ErrorHandler = (error) => this.ended.push(error);
    this.handler = native;
    vi.stubGlobal('ErrorUtils', {
      getGlobalHandler: () => this.handler,
      setGlobalHandler: (next: ErrorHandler) => {
        this.handler = next;
      },
    });
    if (this.isHermes) {
      const { Promise: promises, HermesInternal } = hermes();
      vi.stubGlobal('Promise', promises);
      vi.stubGlobal('HermesInternal', HermesInternal);
    }
    const { NativeUpdates } = await import('../doubles/expo-updates-native');
    const { nativeModules } = await import('../doubles/expo-modules-core');
    const { AppState } = await import('../doubles/react-native');
    const updates = new NativeUpdates({
      url: 'https://ota.test/v1/ota/manifest/demo', channel: 'production', runtimeVersion: '1.0.0', platform: 'ios',
      clientId: '2f1c9a80-6f0e-4a6d-9a57-0d6f1c6d1b11', fetch: (url, init) => server.fetch(url, init),
      isEventFirst: () => this.isEventFirst,
      reload: () => {
        this.restarts += 1;
      },
    }, this.#updates);
    if (this.checks === 'before' || this.checks === 'first') {
      await Promise.all([updates.startup(), vi.advanceTimersByTimeAsync(1000)]);
    }
    if (this.checks === 'first') {
      updates.start();
    }
    nativeModules.ExpoUpdates = { ...updates.module(), readLogEntriesAsync: () => Promise.resolve(this.log) };
    await before();
    const module = await import('@waft/expo');
    if (this.checks === 'after') {
      void updates.startup();
    }
    const waft = module.createWaft({
      storage: {
        getItem: (key) => (alive ? storage.getItem(key) : deaf),
        setItem: (key, value) => (alive ? storage.setItem(key, value) : deaf),
        removeItem: (key) => (alive ? storage.removeItem(key) : deaf),
      },
      ...options,
    });
    this.#kill = async () => {
      alive = false; // A killed process can no longer use the storage.
      this.#updates = updates.stored();
      waft.stop();
      await waft.flags.onClose?.();
    };
    waft.start();
    return {
      module, waft,
      become: (state) => {
        AppState.become(state);
      },
      remains: () => ({
        timers: vi.getTimerCount(), listeners: AppState.count(), requests: server.running, streams: server.streams.size,
        handlers: this.handler === native ? 0 : 1,
      }),
    };
  }

  /** Kills the running process. */
  async kill(): Promise<void> {
    await this.#kill();
    this.#kill = () => Promise.resolve();
  }
}

/** Returns a phone for a test, which it puts under a fake clock. */
export function makePhone(): Phone {
  vi.useFakeTimers({ now: Date.parse('2026-03-01T12:00:00Z') });
  vi.stubGlobal('CompressionStream', undefined); // As in Hermes. Streams do not follow the fake clock.
  return new Phone();
}

/** Ends the phone and the fake clock of a test. */
export async function endPhone(phone: Phone): Promise<void> {
  await phone.kill();
  vi.useRealTimers();
  vi.unstubAllGlobals();
}
