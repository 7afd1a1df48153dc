import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { xcodeProject } from './nativeproject';
import { packedApp } from './packedapp';

// Most tests start processes, which may take long on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const app = packedApp();
const installed = join(app, 'node_modules/@waft/expo');

afterAll(() => {
  rmSync(app, { recursive: true });
});

const settings = { url: 'https://ota.test', project: 'demo' };
const address = 'https://ota.test/v1/ota/manifest/demo';

/** Runs a program in the app with a Node.js that cannot `require` ES modules, and returns what it prints. */
function run(program: string): { output: string; warnings: string[] } {
  const args = ['--no-experimental-require-module', '--print', program];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: app, encoding: 'utf8' });
  return { output: stdout.trim(), warnings: stderr.split('\n').filter((line) => line !== '') };
}

/** Installs a package that consists of JSON files. */
function install(name: string, version: string, files: Record<string, unknown> = {}): void {
  const folder = join(app, 'node_modules', name);
  mkdirSync(folder, { recursive: true });
  for (const [file, content] of Object.entries({ 'package.json': { name, version }, ...files })) {
    writeFileSync(join(folder, file), JSON.stringify(content));
  }
}

/** Returns the warnings of a process that evaluates the app's config twice. */
function warnings(): string[] {
  const config = JSON.stringify({ version: '1', _internal: { projectRoot: app } });
  return run(`for (const _ of [1, 2]) require('@waft/expo/app.plugin')(${config}, ${JSON.stringify(settings)})`).warnings;
}

it.each(['@waft/expo/app.plugin', '@waft/expo/app.plugin.js'])('exports the plugin as %s to CommonJS, even without require of ES modules', (name) => {
  expect(run(`require('${name}')({ version: '1' }, ${JSON.stringify(settings)}).updates.url`)).toEqual({ output: address, warnings: [] });
});

it("is loaded by Expo's own loader of plugins", () => {
  // The loader of SDK 54 comes with the oldest expo-updates. The e2e tests use the one of SDK 57.
  const oldest = createRequire(new URL('../../../oldest/package.json', import.meta.url));
  const loader = createRequire(oldest.resolve('expo-updates/package.json')).resolve('@expo/config-plugins');
  const program = `require('${loader}').withPlugins(
    { name: 'app', slug: 'app', version: '1', _internal: { projectRoot: ${JSON.stringify(app)} } },
    [['@waft/expo', ${JSON.stringify(settings)}]],
  ).updates.url`;
  expect(run(program)).toEqual({ output: address, warnings: [] });
});

it("makes Xcode keep the source map of a release build, beside what other plugins and the app's template write", () => {
  mkdirSync(join(app, 'ios/App.xcodeproj'), { recursive: true });
  writeFileSync(join(app, 'ios/App.xcodeproj/project.pbxproj'), xcodeProject);
  const file = join(app, 'ios/.xcode.env');
  writeFileSync(file, 'export NODE_BINARY=node\n');
  const oldest = createRequire(new URL('../../../oldest/package.json', import.meta.url));
  const tools = createRequire(oldest.resolve('expo-updates/package.json')).resolve('@expo/config-plugins');
  const program = `
    const { compileModsAsync, withDangerousMod, withPlugins } = require('${tools}');
    const other = (name) => (config) => withDangerousMod(config, ['ios', (props) => {
      require('node:fs').appendFileSync(props.modRequest.platformProjectRoot + '/.xcode.env', '# from ' + name + '\\n');
      return props;
    }]);
    const root = ${JSON.stringify(app)};
    const config = () => withPlugins({ name: 'app', slug: 'app', version: '1', _internal: { projectRoot: root } },
      [other('one'), ['@waft/expo', ${JSON.stringify(settings)}], other('two')]);
    const compile = () => compileModsAsync(config(), { projectRoot: root, platforms: ['ios'] });
    compile().then(compile).then(() => console.log('done'));`;
  expect(run(program).warnings).toEqual([]);
  const text = readFileSync(file, 'utf8');
  expect(text.startsWith('export NODE_BINARY=node\n')).toBe(true);
  expect(text.match(/# from \w+/g)).toEqual(['# from two', '# from one', '# from two', '# from one']);
  const sourced = (env: string): string =>
    spawnSync('bash', ['-c', `${env} . ios/.xcode.env; echo "$SOURCEMAP_FILE"; test -d ios/build/waft && echo there`], { cwd: app, encoding: 'utf8' }).stdout;
  expect(sourced('unset SOURCEMAP_FILE PODS_ROOT;')).toBe('\n');
  expect(sourced('SOURCEMAP_FILE=own.map PODS_ROOT=ios/Pods;')).toBe('own.map\n');
  mkdirSync(join(app, 'ios/Pods'));
  expect(sourced('unset SOURCEMAP_FILE; PODS_ROOT=ios/Pods;')).toBe('ios/Pods/../build/waft/main.jsbundle.map\nthere\n');
  expect(text.match(/export SOURCEMAP_FILE/g)).toHaveLength(1);
});

it('has types for the plugin, and no link to a source map that is not there', () => {
  const { exports } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as { exports: Record<string, string> };
  expect(existsSync(join(installed, (exports['./app.plugin'] ?? '').replace(/\.cjs$/, '.d.cts')))).toBe(true);
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((name) => /\.c?js$/.test(name));
  expect(files.length).toBeGreaterThan(2);
  for (const name of files) {
    expect(readFileSync(join(installed, name), 'utf8'), name).not.toContain('sourceMappingURL');
  }
});

it('tells once which packages do not fit the SDK of the app', () => {
  const bundled = { 'expo-updates': '~55.0.24', 'expo-constants': '~55.0.17' };
  install('expo', '55.0.31', { 'bundledNativeModules.json': bundled });
  const needed = ['expo-updates', 'expo-constants']; // Without AsyncStorage, createWaft throws an error that names it.
  expect(warnings()).toEqual(needed.map((name) => `@waft/expo: ${name} is not installed; run \`npx expo install ${name}\``));
  install('expo-updates', '55.0.20');
  install('expo-constants', '55.0.17');
  expect(warnings()).toEqual([]);
  install('expo-updates', '57.0.24');
  const misfit = '@waft/expo: expo-updates 57.0.24 does not fit Expo SDK 55, which expects ~55.0.24; run `npx expo install expo-updates`';
  expect(warnings()).toEqual([misfit]);
  install('expo-updates', '55.0.24');
  install('@react-native-async-storage/async-storage', '3.1.1');
  expect(warnings()).toEqual([
    '@waft/expo: @react-native-async-storage/async-storage 3.1.1 is not in the range ^2.1.0; run `npx expo install @react-native-async-storage/async-storage`',
  ]);
  install('@react-native-async-storage/async-storage', '2.1.2');
  expect(warnings()).toEqual([]);
  install('expo-updates', '57.0.24');
  install('expo', '58.0.1', { 'bundledNativeModules.json': { ...bundled, 'expo-updates': '~57.0.0' } });
  expect(warnings()).toEqual([
    expect.stringMatching(/^@waft\/expo: version \S+ supports Expo SDK 54 to 57, not 58; use a version that supports it$/),
  ]);
});
