// Installs the packed package with npm into an empty app of each supported Expo SDK, and fails if a version is not the one that the SDK
// expects, if a bare React Native app with some of the entries cannot be bundled, or if the config of an Expo app does not load. It needs the
// npm registry, and takes two minutes or more. SDKs as arguments, such as "54", limit it to them.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A version of `expo` for each supported SDK. */
const sdks = ['54.0.38', '55.0.31', '56.0.22', '57.0.26'];
/** The SDKs for which the bare app is bundled. */
const bundledSDKs = [sdks[0], sdks.at(-1)];
/** The code of a bare React Native app with Expo modules, without an app config. It has a storage of its own and does not use flags,
 * so AsyncStorage and OpenFeature are not installed. */
const bareApp = `
import { AppRegistry, Text } from 'react-native';
import { createHealth } from '@waft/expo/health';
import { createUpdates } from '@waft/expo/updates';

const stored = new Map();
const storage = {
  getItem: (key) => stored.get(key) ?? null, setItem: (key, value) => void stored.set(key, value), removeItem: (key) => void stored.delete(key),
};
const settings = { url: 'https://ota.test', project: 'demo', channel: 'production', runtimeVersion: '1.0.0', storage };
createHealth(settings).start();
createUpdates(settings).start();
AppRegistry.registerComponent('Bare', () => () => <Text>Hello</Text>);
`;
const asyncStorage = '@react-native-async-storage/async-storage';
/** The peers that do not belong to an SDK. */
const openFeature = ['@openfeature/core', '@openfeature/web-sdk', '@openfeature/react-sdk'];

const own = JSON.parse(readFileSync('package.json', 'utf8'));
const exec = promisify(execFile);
const chosen = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'waft-installs-'));

function run(cwd, command, ...args) {
  const env = { ...process.env, CI: '1', EXPO_OFFLINE: '1', EXPO_NO_TELEMETRY: '1', EXPO_NO_DOTENV: '1' };
  return exec(command, args, { cwd, env, maxBuffer: 1 << 26 });
}

function install(app, ...packages) {
  return run(app, 'npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error', ...packages);
}

/** Returns the versions of each package that is installed in the app, also below other packages. */
function installed(app) {
  const { packages } = JSON.parse(readFileSync(join(app, 'package-lock.json'), 'utf8'));
  const versions = {};
  for (const [path, { version }] of Object.entries(packages)) {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    versions[name] = [...(versions[name] ?? []), version];
  }
  return versions;
}

/** Returns true if a version is in a range as the SDK writes them, "2.2.0" or "~55.0.21". */
function fits(version, range) {
  const [wanted, found] = [range, version].map((text) => text.replace(/^~/, '').split('.').map(Number));
  return range.startsWith('~') ? found[0] === wanted[0] && found[1] === wanted[1] && found[2] >= wanted[2] : version === range;
}

function mustFit(when, versions, names, bundled) {
  for (const name of names) {
    const found = versions[name] ?? [];
    if (found.length > 1 || !found.every((version) => fits(version, bundled[name]))) {
      throw new Error(`${when}, npm installs ${name} ${found.join(' and ')}, but the SDK expects ${bundled[name]}`);
    }
  }
}

/** Bundles the bare app as a native build does. */
async function bundle(app) {
  writeFileSync(join(app, 'app.json'), JSON.stringify({ name: 'Bare', displayName: 'Bare' }));
  writeFileSync(join(app, 'index.js'), bareApp);
  const output = ['--bundle-output', 'bare.js', '--sourcemap-output', 'bare.map', '--reset-cache'];
  await run(app, 'node_modules/.bin/expo', 'export:embed', '--platform', 'android', '--dev', 'false', '--entry-file', 'index.js', ...output);
  const { sources } = JSON.parse(readFileSync(join(app, 'bare.map'), 'utf8'));
  for (const [part, isWanted] of [[`${own.name}/dist/health.`, true], [`${own.name}/dist/updates.`, true], ['@openfeature/', false], [asyncStorage, false]]) {
    if (sources.some((source) => source.includes(part)) !== isWanted) {
      throw new Error(`the bundle of the bare app ${isWanted ? 'lacks' : 'contains'} ${part}`);
    }
  }
}

async function check(sdk, tarball) {
  const app = join(folder, sdk);
  mkdirSync(app);
  const plugin = [own.name, { url: 'https://ota.test', project: 'demo' }];
  writeFileSync(join(app, 'package.json'), JSON.stringify({ name: 'app', version: '1.0.0', private: true }));

  await install(app, `expo@${sdk}`, tarball);
  const bundled = JSON.parse(readFileSync(join(app, 'node_modules/expo/bundledNativeModules.json'), 'utf8'));
  const ofSDK = Object.keys(own.peerDependencies).filter((name) => bundled[name]);
  // The versions of React and React Native are the app's choice.
  const expoPackages = Object.keys(bundled).filter((name) => name.startsWith('expo-'));
  mustFit('In an app that has only expo', installed(app), expoPackages, bundled);

  // What `npx expo install` does, without its requests to a server.
  const wanted = (names) => names.map((name) => `${name}@${bundled[name]}`);
  await install(app, ...wanted(ofSDK.filter((name) => name !== asyncStorage)));
  if (bundledSDKs.includes(sdk)) {
    await bundle(app);
  }
  await install(app, ...wanted([asyncStorage]), ...openFeature);
  const versions = installed(app);
  mustFit('In an app with all peers', versions, [...expoPackages, ...ofSDK], bundled);
  await run(app, 'npm', 'ls', '--all');

  writeFileSync(join(app, 'app.json'), JSON.stringify({ expo: { name: 'app', slug: 'app', plugins: [plugin] } }));
  const { stdout, stderr } = await run(app, 'node_modules/.bin/expo', 'config', '--json', '--type', 'public');
  const { url } = JSON.parse(stdout).updates;
  if (url !== 'https://ota.test/v1/ota/manifest/demo' || stderr.includes(own.name)) {
    throw new Error(`the plugin has set updates.url to ${url}, and printed: ${stderr}`);
  }
  console.log(`SDK ${sdk}: ${ofSDK.map((name) => `${name} ${versions[name]}`).join(', ')}`);
  rmSync(app, { recursive: true });
}

try {
  const { stdout } = await exec('npm', ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder]);
  const tarball = join(folder, stdout.trim());
  const waiting = sdks.filter((sdk) => chosen.length === 0 || chosen.includes(sdk.split('.')[0]));
  if (waiting.length === 0) {
    throw new Error(`the supported SDKs are ${sdks.join(', ')}`);
  }
  const next = async () => {
    for (let sdk = waiting.shift(); sdk; sdk = waiting.shift()) {
      await check(sdk, tarball).catch((error) => {
        console.error(`SDK ${sdk}: ${error.message}\n${error.stderr ?? ''}${error.stdout ?? ''}`);
        process.exitCode = 1;
      });
    }
  };
  await Promise.all([next(), next()]); // Two at a time, because npm mostly waits.
} finally {
  rmSync(folder, { recursive: true });
}
