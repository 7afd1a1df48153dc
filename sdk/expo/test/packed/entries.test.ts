import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { packedApp } from './packedapp';

// Each test starts a process, which may take long on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

let app: string;

beforeEach(() => {
  app = packedApp();
});

afterEach(() => {
  rmSync(app, { recursive: true });
});

/** The exports of doubles of peers, as the code of each. The programs below set the global `natives` and read `listeners`. */
const doubles: Record<string, Record<string, string>> = {
  'react-native': {
    Platform: '{ OS: "ios" }',
    AppState: `{ currentState: "active", addEventListener(_type, listener) {
      listeners.add(listener);
      return { remove: () => listeners.delete(listener) };
    } }`,
  },
  expo: { requireOptionalNativeModule: '(name) => natives[name] ?? null' },
  'expo/fetch': { fetch: '(url, init) => globalThis.fetch(url, init)' },
  'expo-constants': { default: '{ expoConfig: { version: "1.0.0", updates: { url: "https://ota.test/v1/ota/manifest/demo" } } }' },
  '@react-native-async-storage/async-storage': {
    default: `{
      getItem: async (key) => stored.get(key) ?? null, setItem: async (key, value) => void stored.set(key, value),
      removeItem: async (key) => void stored.delete(key),
    }`,
  },
  'expo-updates': {
    checkForUpdateAsync: 'async () => ({ isAvailable: false, isRollBackToEmbedded: false })',
    fetchUpdateAsync: 'async () => ({ isNew: false, isRollBackToEmbedded: false })',
    reloadAsync: 'async () => undefined',
    useUpdates: '() => ({})',
  },
};
const always = ['react-native', 'expo', 'expo-constants'];
const everywhere = [...always, '@react-native-async-storage/async-storage'];
const ofUpdates = ['expo-updates'];
const ofFlags = ['expo/fetch', '@openfeature/core', '@openfeature/web-sdk', 'eventsource-parser', 'exponential-backoff'];

/** Installs the peers in the app: doubles, or links to the real packages. */
function install(peers: string[]): void {
  const packages = new Map<string, Record<string, string>>();
  for (const peer of peers) {
    const [, name = '', entry = ''] = /^((?:@[^/]+\/)?[^/]+)(\/.*)?$/.exec(peer) ?? [];
    const folder = join(app, 'node_modules', name);
    mkdirSync(dirname(folder), { recursive: true });
    const double = doubles[peer];
    if (!double) {
      symlinkSync(fileURLToPath(new URL(`../../../node_modules/${name}`, import.meta.url)), folder);
      continue;
    }
    mkdirSync(folder, { recursive: true });
    const file = entry === '' ? 'index' : entry.slice(1);
    const lines = Object.entries(double);
    writeFileSync(join(folder, `${file}.mjs`), lines.map(([key, code]) => `export ${key === 'default' ? 'default' : `const ${key} =`} ${code};`).join('\n'));
    writeFileSync(join(folder, `${file}.cjs`), ['exports.__esModule = true;', ...lines.map(([key, code]) => `exports.${key} = ${code};`)].join('\n'));
    packages.set(name, { ...packages.get(name), [`.${entry}`]: file });
  }
  for (const [name, entries] of packages) {
    const exports = Object.fromEntries(
      Object.entries(entries).map(([entry, file]) => [entry, { import: `./${file}.mjs`, require: `./${file}.cjs` }]),
    );
    writeFileSync(join(app, 'node_modules', name, 'package.json'), JSON.stringify({ name, version: '1.0.0', exports }));
  }
}

/** Runs a program that sets `result` in the app, and returns that. It gets modules with `load`. */
function run(format: 'import' | 'require', program: string): unknown {
  const load = format === 'import' ? '(name) => import(name)' : 'async (name) => require(name)';
  const prelude = `
    Object.assign(globalThis, { natives: {}, listeners: new Set(), stored: new Map(), requests: [] });
    Math.random = () => 0.5; // Reports wait for a random part of five seconds.
    const realTimer = setTimeout;
    globalThis.setTimeout = (call, ms, ...rest) => realTimer(call, ms >= 10000 ? ms : ms / 100, ...rest);
    globalThis.fetch = async (url, init = {}) => {
      const { pathname } = new URL(url);
      requests.push({ path: pathname.split('/')[3], ...JSON.parse(init.body ?? '{}') });
      if (pathname.endsWith('flag-evaluations-bulk')) return Response.json({ flags: { 'new-checkout': { value: true, reason: 'DEFAULT' } } });
      return pathname.includes('flag-stream') ? new Promise(() => undefined) : new Response(null, { status: 204 });
    };
    const load = ${load};
    const until = async (holds) => { while (!holds()) await new Promise((resolve) => setImmediate(resolve)); };
    const reports = () => requests.filter(({ path }) => path === 'health-metrics');
    let result;
    (async () => {${program}})().then(() => { console.log(JSON.stringify(result)); process.exit(0); });
  `;
  const output = execFileSync(process.execPath, ['--unhandled-rejections=strict', '--eval', prelude], { cwd: app, encoding: 'utf8', timeout: 50_000 });
  return JSON.parse(output);
}

const programs = {
  health: `
    const { createHealth } = await load('@waft/expo/health');
    const health = createHealth();
    health.start();
    health.captureException(new TypeError('broken'));
    await until(() => reports().length > 0);
    health.stop();
    result = reports().flatMap(({ events }) => events.map(({ type, message }) => message ?? type));`,
  updates: `
    natives.ExpoUpdates = { isEnabled: true, isEmbeddedLaunch: true, channel: 'production', runtimeVersion: '1.0.0' };
    const { createUpdates } = await load('@waft/expo/updates');
    const { start, stop, check, subscribe, state } = createUpdates();
    const seen = [state.status];
    subscribe(() => seen.push('told'));
    start();
    seen.push((await check()).status);
    stop();
    result = [...new Set(seen)];`,
  flags: `
    const { createFlags } = await load('@waft/expo/flags');
    const { OpenFeature } = await load('@openfeature/web-sdk');
    await OpenFeature.setProviderAndWait(createFlags());
    result = [OpenFeature.getClient().getBooleanValue('new-checkout', false)];
    await OpenFeature.close();
    result.push(listeners.size);`,
};

const formats = ['import', 'require'] as const;

it.each(formats)('health works with %s where no other peers than its own are installed', (format) => {
  install(everywhere);
  expect(run(format, programs.health)).toEqual(expect.arrayContaining(['app_launch', 'broken']));
});

it.each(formats)('updates work with %s where no other peers than their own are installed', (format) => {
  install([...everywhere, ...ofUpdates]);
  expect(run(format, programs.updates)).toEqual(['idle', 'told', 'up_to_date']);
});

it.each(formats)('flags work with %s where no other peers than their own are installed', (format) => {
  install([...everywhere, ...ofFlags]);
  expect(run(format, programs.flags)).toEqual([true, 0]);
});

const entries = [
  ['@waft/expo/health', 'createHealth', []],
  ['@waft/expo/updates', 'createUpdates', ofUpdates],
  ['@waft/expo/flags', 'createFlags', ofFlags],
  ['@waft/expo', 'createWaft', [...ofUpdates, ...ofFlags, 'react', '@openfeature/react-sdk']],
] as const;

it.each(formats.flatMap((format) => entries.map((entry) => [format, ...entry] as const)))(
  'with %s, %s works with the storage of the app where AsyncStorage is not installed', (format, entry, create, peers) => {
    install([...always, ...peers]);
    expect(run(format, `
      const { ${create}: create } = await load('${entry}');
      const storage = { getItem: (key) => stored.get(key) ?? null, setItem: (key, value) => void stored.set(key, value), removeItem: (key) => void stored.delete(key) };
      const error = (() => { try { create(); } catch ({ message }) { return message; } })();
      create({ storage });
      await until(() => stored.has('waft/device'));
      result = error;`)).toMatch(/^@waft\/expo: storage is missing: install @react-native-async-storage\/async-storage .*, or pass storage to createWaft$/);
  });

it('shares the device ID, the session and the foreground among the entries of an app, and ends them with the last entry', () => {
  install([...everywhere, ...ofUpdates, ...ofFlags]);
  const found = run('import', `
    natives.ExpoUpdates = { isEnabled: true, isEmbeddedLaunch: true, runtimeVersion: '1.0.0' };
    const { createUpdates } = await load('@waft/expo/updates');
    const { createHealth } = await load('@waft/expo/health');
    const { createFlags } = await load('@waft/expo/flags');
    const { OpenFeature } = await load('@openfeature/web-sdk');
    const [updates, health, again] = [createUpdates(), createHealth({ beforeSend: (event) => (event.name === 'private' ? null : event) }), createHealth()];
    updates.start();
    health.start();
    again.start();
    await OpenFeature.setProviderAndWait(createFlags());
    OpenFeature.getClient().getBooleanValue('new-checkout', false);
    health.track('private');
    health.track('checkout');
    const events = () => reports().flatMap(({ events }) => events);
    await until(() => events().length > 1 && [...stored.keys()].some((key) => key.endsWith('/session')));
    const listening = [listeners.size];
    for (const end of [() => health.stop(), () => updates.stop(), () => again.stop(), () => OpenFeature.close()]) {
      await end();
      listening.push(listeners.size);
    }
    result = {
      devices: new Set(requests.map(({ deviceId }) => deviceId).filter(Boolean)).size,
      launches: events().filter(({ type }) => type === 'app_launch').length,
      isPrivate: events().some(({ name }) => name === 'private'),
      flagStates: events().find(({ name }) => name === 'checkout').flagStates,
      ended: JSON.parse(stored.get('waft/https://ota.test/demo/session')).ended,
      listening,
    };`);
  expect(found).toEqual({ devices: 1, launches: 1, isPrivate: false, flagStates: { 'new-checkout': 'true' }, ended: true, listening: [1, 1, 1, 1, 0] });
});

it('remembers for which update the app was restarted without health, and does not take the end of that session for a fault', () => {
  install([...everywhere, ...ofUpdates]);
  expect(run('import', `
    natives.ExpoUpdates = { isEnabled: true, isEmbeddedLaunch: true, runtimeVersion: '1.0.0' };
    const { createUpdates } = await load('@waft/expo/updates');
    const updates = createUpdates();
    updates.start();
    await updates.check();
    await until(() => stored.size > 1);
    const { ended, origin } = JSON.parse(stored.get('waft/https://ota.test/demo/session'));
    result = { ended, origin };`)).toEqual({ ended: true, origin: { runtimeVersion: '1.0.0', updateUuid: null } });
});
