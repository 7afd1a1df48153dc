import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { buildGradle, xcodeProject } from './nativeproject';
import { packedApp } from './packedapp';

// Most tests start processes, which may take long on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const app = packedApp();
const native = join(app, 'node_modules/@waft/expo/native');

afterAll(() => {
  rmSync(app, { recursive: true });
});

function write(name: string, content: string): string {
  const file = join(app, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

interface Result { status: number | null; output: string }

/** Runs a program in the app with nothing in its environment but what is given. */
function run(program: string, args: string[], env: Record<string, string> = {}): Result {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: app, encoding: 'utf8', env: { PATH: '/usr/bin:/bin', ...env } });
  return { status, output: stdout + stderr };
}

describe('expo prebuild', () => {
  const gradle = 'android/app/build.gradle';
  const xcode = 'ios/App.xcodeproj/project.pbxproj';
  const read = (name: string): string => readFileSync(join(app, name), 'utf8');
  // The package config-plugins of SDK 54 comes with the oldest expo-updates. The e2e tests use the one of SDK 57 and its template.
  const oldest = createRequire(new URL('../../../oldest/package.json', import.meta.url));
  const tools = createRequire(oldest.resolve('expo-updates/package.json')).resolve('@expo/config-plugins');

  /** Applies the plugin, between two others, to the native projects, as often as given, and returns the warnings. */
  function prebuild(options: object, times = 1): string {
    const settings = JSON.stringify({ url: 'https://ota.test/', project: "o'hara", ...options });
    const program = `
      const { compileModsAsync, withAppBuildGradle, withPlugins } = require('${tools}');
      const other = (name) => (config) => withAppBuildGradle(config, (props) => {
        props.modResults.contents = props.modResults.contents.replace('react {', 'react {\\n    // from ' + name);
        return props;
      });
      const root = ${JSON.stringify(app)};
      const prebuild = () => compileModsAsync(
        withPlugins({ name: 'app', slug: 'app', version: '1', _internal: { projectRoot: root } }, [other('one'), ['@waft/expo', ${settings}], other('two')]),
        { projectRoot: root, platforms: ['ios', 'android'] });
      (async () => { for (let i = 0; i < ${times}; i++) await prebuild(); })().catch((error) => { console.error(error); process.exitCode = 1; });`;
    const { status, output } = run(process.execPath, ['-e', program]);
    expect(status, output).toBe(0);
    return output;
  }

  beforeEach(() => {
    rmSync(join(app, 'android'), { recursive: true, force: true });
    write(gradle, buildGradle);
    write(xcode, xcodeProject);
  });

  it('makes Gradle apply waft.gradle once, however often it runs', () => {
    expect(prebuild({}, 2)).toBe('');
    const text = read(gradle);
    expect(text.match(/native\/waft\.gradle/g)).toHaveLength(1);
    expect(text).toContain("\next.waft = [url: 'https://ota.test', project: 'o\\'hara']\n");
    expect(text.match(/from (one|two)/g)).toHaveLength(4);
    expect(prebuild({ project: 'other' })).toBe('');
    expect(read(gradle).match(/project: '.*'/g)).toEqual(["project: 'other'"]);
  });

  it('adds one phase to the target that bundles the app, after the bundle, however often it runs', () => {
    prebuild({}, 2);
    const text = read(xcode);
    const phases = [...text.matchAll(/buildPhases = \(([^)]*)\)/g)].map(([, list]) => [...(list ?? '').matchAll(/\/\* (.*) \*\//g)].map(([, name]) => name));
    expect(phases).toEqual([
      ['Sources', 'Bundle React Native code and images', '[CP] Copy Pods Resources', 'Upload the source map to Waft'], ['Sources'],
    ]);
    expect(text.match(/waft-xcode\.sh/g)).toHaveLength(1);
    const before = text;
    prebuild({});
    expect(read(xcode)).toBe(before);
  });

  it('removes both with uploadSourceMaps: false', () => {
    prebuild({ uploadSourceMaps: false });
    const [noGradle, noPhase] = [read(gradle).replaceAll(/ *\/\/ from .*\n/g, ''), read(xcode)];
    expect(noGradle).toBe(buildGradle);
    expect(noPhase).not.toContain('waft');
    prebuild({});
    expect(read(gradle)).toContain('waft.gradle');
    prebuild({ uploadSourceMaps: false });
    expect([read(gradle).replaceAll(/ *\/\/ from .*\n/g, ''), read(xcode)]).toEqual([noGradle, noPhase]);
  });

  it('says that it does not change Kotlin', () => {
    rmSync(join(app, gradle));
    write(`${gradle}.kts`, 'plugins {\n}\n');
    expect(prebuild({})).toMatch(/build\.gradle\.kts is Kotlin, which the plugin does not change, .* set "uploadSourceMaps" to false/);
    expect(read(`${gradle}.kts`)).not.toContain('waft');
    expect(prebuild({ uploadSourceMaps: false })).toBe('');
  });
});

describe('the upload from inside a native build', () => {
  const calls = join(app, 'calls');
  const map = write('app.map', '{}');
  const options = ['--platform', 'android', '--bundle', 'b', '--manifest', 'm'];
  const key = { WAFT_API_KEY: 'wk_secret' };

  /** Installs a CLI that writes its arguments to a file, prints a line, and ends as given. */
  function installCLI(name: string, end = 'exit 0'): string {
    const program = write(name, `#!/bin/sh\necho "$WAFT_URL $WAFT_PROJECT $WAFT_API_KEY $*" >> ${calls}\necho "build 7 of ${name}"\n${end}\n`);
    chmodSync(program, 0o755);
    return program;
  }

  function upload(env: Record<string, string>, args = [...options, '--source-map', map]): Result & { called: string } {
    writeFileSync(calls, '');
    const result = run(process.execPath, [join(native, 'upload.cjs'), app, 'https://ota.test', 'demo', ...args], env);
    expect(result.output).not.toContain('wk_secret');
    return { ...result, called: readFileSync(calls, 'utf8') };
  }

  beforeEach(() => {
    rmSync(join(app, 'node_modules/.bin'), { recursive: true, force: true });
    rmSync(join(app, 'tools'), { recursive: true, force: true });
  });

  it('tells in one line what to set, and lets the build go on', () => {
    installCLI('tools/waft');
    const noKey = upload({ WAFT_CLI: join(app, 'tools/waft') });
    expect(noKey).toEqual({ status: 0, called: '', output: expect.stringMatching(/^note: @waft\/expo: .* not uploaded: set WAFT_API_KEY .*\n$/) as string });
    const noCLI = upload(key);
    expect(noCLI).toEqual({ status: 0, called: '', output: expect.stringMatching(/^note: .* not uploaded: put the CLI `waft` into the PATH.*WAFT_CLI.*\n$/) as string });
    expect(upload({ ...key, WAFT_CLI: 'missing' }).output).toMatch(/^note: .*WAFT_CLI names missing, which is not a program\n$/);
  });

  it('calls the CLI of WAFT_CLI, of the PATH, or of node_modules, with the server and project of the plugin', () => {
    const called = `https://ota.test demo wk_secret builds add-embedded ${app} ${options.join(' ')} --source-map ${map}\n`;
    const own = installCLI('node_modules/.bin/waft');
    expect(upload(key)).toEqual({ status: 0, called, output: '@waft/expo: build 7 of node_modules/.bin/waft\n' });
    installCLI('tools/waft');
    expect(upload({ ...key, PATH: `${join(app, 'tools')}:/usr/bin:/bin` })).toEqual({ status: 0, called, output: '@waft/expo: build 7 of tools/waft\n' });
    expect(upload({ ...key, PATH: `${join(app, 'tools')}:/usr/bin:/bin`, WAFT_CLI: own }).output).toContain('node_modules/.bin');
    expect(upload({ ...key, WAFT_URL: 'https://own.test', WAFT_PROJECT: 'own' }).called).toMatch(/^https:\/\/own\.test own /);
    expect(upload({ ACTIONS_ID_TOKEN_REQUEST_URL: 'https://ci.test' }).called).not.toBe('');
  });

  it('warns about an upload that fails, and about a map that is missing', () => {
    installCLI('node_modules/.bin/waft', 'echo "Error: no such project" >&2; exit 1');
    expect(upload(key)).toMatchObject({ status: 0, output: 'warning: @waft/expo: the source map of this build is not uploaded: no such project. The build goes on\n' });
    installCLI('node_modules/.bin/waft', 'echo "android: Gradle wrote no source map" >&2');
    const noMap = upload(key, [...options, '--source-map', `${map}.missing`]);
    expect(noMap.output).toBe('@waft/expo: build 7 of node_modules/.bin/waft\nwarning: @waft/expo: android: Gradle wrote no source map\n');
    expect(noMap.status).toBe(0);
    expect(noMap.called).not.toContain('--source-map');
  });

  it('fails the build for each of these reasons with WAFT_UPLOAD_REQUIRED=1', () => {
    const required = { WAFT_UPLOAD_REQUIRED: '1' };
    const failed = (text: RegExp): object => ({ status: 1, output: expect.stringMatching(text) as string });
    expect(upload(required)).toMatchObject(failed(/^error: .*WAFT_API_KEY/));
    expect(upload({ ...required, ...key })).toMatchObject(failed(/^error: .*WAFT_CLI/));
    installCLI('node_modules/.bin/waft');
    expect(upload({ ...required, ...key }).status).toBe(0);
    expect(upload({ ...required, ...key }, options)).toMatchObject(failed(/error: .*the build wrote no source map\n$/));
    installCLI('node_modules/.bin/waft', 'exit 1');
    expect(upload({ ...required, ...key })).toMatchObject(failed(/^error: .*not uploaded: waft ended with 1\n$/));
  });
});

describe('the phase of Xcode', () => {
  const settings = { NODE_BINARY: process.execPath, PROJECT_DIR: join(app, 'ios'), UNLOCALIZED_RESOURCES_FOLDER_PATH: 'App.app' };
  const phase = (env: Record<string, string>): Result =>
    run('bash', [join(native, 'waft-xcode.sh'), 'https://ota.test', 'demo'], { ...settings, CONFIGURATION_BUILD_DIR: join(app, 'products'), ...env });

  it('uploads from release configurations that bundle the app', () => {
    mkdirSync(join(app, 'ios'), { recursive: true });
    expect(phase({ CONFIGURATION: 'Debug' })).toEqual({ status: 0, output: '' });
    expect(phase({ CONFIGURATION: 'Staging Debug' })).toEqual({ status: 0, output: '' });
    expect(phase({ CONFIGURATION: 'Release', SKIP_BUNDLING: '1' })).toEqual({ status: 0, output: '' });
    expect(phase({ CONFIGURATION: 'Release' }).output).toMatch(/^note: .*WAFT_API_KEY/);
  });

  it('names the files that Xcode and CocoaPods have written', () => {
    const cli = write('echo', '#!/bin/sh\necho "$*"\n');
    chmodSync(cli, 0o755);
    const release = { CONFIGURATION: 'Release', WAFT_API_KEY: 'k', WAFT_CLI: cli, PODS_CONFIGURATION_BUILD_DIR: join(app, 'pods'), SOURCEMAP_FILE: 'app.map' };
    const product = join(app, 'products/App.app');
    const copied = write('products/App.app/EXUpdates.bundle/app.manifest', '{}');
    const expected = (manifest: string, map = '--source-map app.map'): string =>
      `@waft/expo: builds add-embedded ${app} --platform ios --bundle ${product}/main.jsbundle --manifest ${manifest} ${map}\n`;
    expect(phase(release).output).toBe(expected(copied));
    const ofPod = write('pods/EXUpdates/EXUpdates.bundle/app.manifest', '{}');
    expect(phase(release).output).toBe(expected(ofPod));
  });
});
