// A phone with an app that uses the package, for tests against a server. Each process is one start of the app. Data that outlives
// it is in the folder WAFT_DEVICE. The process responds to each line of JSON on its input with a line. The package's pauses are
// shortened to a twentieth, so that they do not delay tests. Timeouts for responses are not shortened, because machines may be slow.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { NativeUpdates } from '../doubles/expo-updates-native';
import { nativeModules } from '../doubles/expo-modules-core';
import Constants from '../doubles/expo-constants';
import { AppState } from '../doubles/react-native';
import type { KeyValueStorage } from '../../src/storage';

const speed = 20;
/** The package's maximum wait for a response, in milliseconds. */
const limits = new Set([2000, 3000, 4000, 10_000, 30_000, 45_000]);
const { WAFT_URL: url = '', WAFT_PROJECT: project = '', WAFT_DEVICE: folder = '' } = process.env;
const settings = { channel: 'production', runtimeVersion: '1.0.0' };

interface Line {
  do: 'track' | 'user' | 'breadcrumb' | 'consent' | 'error' | 'rethrow' | 'burst' | 'told' | 'flush' | 'state' | 'check' | 'start' | 'fail' | 'full' | 'clock';
  name?: string;
  state?: string;
  /** Number of events. */
  count?: number;
  /** How far the device's clock is set forward. */
  days?: number;
}

mkdirSync(folder, { recursive: true });
const files = { storage: `${folder}/storage.json`, updates: `${folder}/updates.json`, clock: `${folder}/clock` };
const read = (file: string): string | undefined => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);

function write(file: string, text: string): void {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

let isFull = false;
const content = JSON.parse(read(files.storage) ?? '{}') as Record<string, string>;
const storage: KeyValueStorage = {
  getItem: (key) => content[key] ?? null,
  setItem: (key, value) => {
    if (isFull) {
      throw new Error('the storage is full');
    }
    content[key] = value;
    write(files.storage, JSON.stringify(content));
    return undefined;
  },
  removeItem: (key) => {
    write(files.storage, JSON.stringify({ ...content, [key]: undefined }));
    content[key] = undefined as unknown as string;
    return undefined;
  },
};

let reloaded = false;
const native = new NativeUpdates(
  {
    ...settings, url: `${url}/v1/ota/manifest/${project}`, platform: 'ios', clientId: '2f1c9a80-6f0e-4a6d-9a57-0d6f1c6d1b11',
    fetch: (to, init) => fetch(to, init),
    reload: () => {
      reloaded = true;
    },
  },
  read(files.updates),
);
nativeModules.ExpoUpdates = native.module();
Constants.expoConfig.updates.url = `${url}/v1/ota/manifest/${project}`;

const realNow = Date.now;
let clockMs = Number(read(files.clock) ?? 0);
Date.now = () => realNow() + clockMs;

// The package measures its pauses with the steady clock, which therefore runs as much faster as the timers.
const steady = performance.now.bind(performance);
performance.now = () => steady() * speed;

const unhurried = globalThis.setTimeout;
globalThis.setTimeout = ((call: () => void, ms = 0, ...rest: []) => unhurried(call, limits.has(ms) ? ms : ms / speed, ...rest)) as typeof setTimeout;

/** Called when React Native ends the app after a fatal error. */
let end = (): void => undefined;
let handler: (error: unknown, isFatal?: boolean) => void = () => {
  end();
};
Object.assign(globalThis, {
  ErrorUtils: {
    getGlobalHandler: () => handler,
    setGlobalHandler: (next: typeof handler) => {
      handler = next;
    },
  },
});

const { createWaft } = await import('../../src/index');
const told: string[] = [];
/** Settings of createWaft as JSON, in addition to these. */
const options = JSON.parse(process.env.WAFT_OPTIONS ?? '{}') as object;
const waft = createWaft({ storage, onError: ({ code }) => told.push(code), ...options });
waft.start();

async function answer(line: Line): Promise<object> {
  switch (line.do) {
    case 'start':
      return { running: (nativeModules.ExpoUpdates as { updateId: string }).updateId };
    case 'track':
      waft.health.track(line.name ?? '');
      return {};
    case 'user':
      waft.health.setUser({ id: line.name ?? '', email: `${line.name}@example.com`, username: `the name of ${line.name}` });
      return {};
    case 'breadcrumb':
      waft.health.addBreadcrumb({ category: 'navigation', message: line.name ?? '', data: { from: 'Home' } });
      return {};
    case 'consent':
      waft.health.setConsent(line.state === 'true');
      return {};
    case 'error':
      waft.health.captureException(new Error(line.name));
      return {};
    case 'rethrow': {
      const error = new Error(line.name);
      waft.health.captureException(error);
      await new Promise<void>((resolve) => {
        end = resolve;
        handler(error, true);
      });
      return {};
    }
    case 'burst':
      for (let n = 0; n < (line.count ?? 0); n += 1) {
        waft.health.track(line.name ?? '', { step: `${n}` });
      }
      return {};
    case 'told':
      return { codes: told };
    case 'flush':
      await waft.health.flush();
      return {};
    case 'state':
      AppState.become(line.state ?? '');
      return {};
    case 'full':
      isFull = line.state === 'true';
      return {};
    case 'clock':
      clockMs += (line.days ?? 0) * 24 * 3600 * 1000;
      write(files.clock, String(clockMs));
      return {};
    case 'check': {
      const { status, update, minRuntimeVersion } = await waft.updates.check();
      write(files.updates, native.stored());
      return { status, updateUuid: update?.updateUuid, isCritical: update?.isCritical, minRuntimeVersion, reloaded };
    }
    case 'fail':
      native.fail();
      write(files.updates, native.stored());
      return {};
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await answer(JSON.parse(line) as Line)));
}
process.exit(0);
