import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';

// An app with the packed package, outside this package, because Node.js resolves a package's own name to the package itself.
const app = mkdtempSync(join(tmpdir(), 'waft-plugin-'));
const installed = join(app, 'node_modules/@waft/expo');

beforeAll(() => {
  mkdirSync(dirname(installed), { recursive: true });
  cpSync(fileURLToPath(new URL('node_modules/@waft/expo', import.meta.url)), installed, { recursive: true });
  writeFileSync(join(app, 'package.json'), '{"name":"app"}');
});

afterAll(() => {
  rmSync(app, { recursive: true });
});

const settings = { url: 'https://ota.test', project: 'demo' };
const address = 'https://ota.test/v1/ota/manifest/demo';

/** Runs a program in the app with a Node.js that cannot `require` ES modules, and returns its output. */
function run(program: string): string {
  const args = ['--no-experimental-require-module', '--print', program];
  return execFileSync(process.execPath, args, { cwd: app, encoding: 'utf8' }).trim();
}

it.each(['@waft/expo/app.plugin', '@waft/expo/app.plugin.js'])('exports the plugin as %s to CommonJS, also without require of ES modules', (name) => {
  expect(run(`require('${name}')({ version: '1' }, ${JSON.stringify(settings)}).updates.url`)).toBe(address);
});

it("is loaded by Expo's own loader of plugins", () => {
  // The loader of SDK 54 comes with the oldest expo-updates. The e2e tests use the one of SDK 57.
  const oldest = createRequire(new URL('../../../oldest/package.json', import.meta.url));
  const loader = createRequire(oldest.resolve('expo-updates/package.json')).resolve('@expo/config-plugins');
  const program = `require('${loader}').withPlugins(
    { name: 'app', slug: 'app', version: '1', _internal: { projectRoot: ${JSON.stringify(app)} } },
    [['@waft/expo', ${JSON.stringify(settings)}]],
  ).updates.url`;
  expect(run(program)).toBe(address);
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
