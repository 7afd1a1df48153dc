import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

const scope = '@test';
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'waft-rename-test-'));
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  write('sdk/expo/package.json', JSON.stringify({ name: `${scope}/expo` }));
  mkdirSync(join(folder, 'sdk/tools'));
  copyFileSync(resolve('../tools/rename-scope.mjs'), join(folder, 'sdk/tools/rename-scope.mjs'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function write(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

function run(argument: string): { status: number | null; stderr: string } {
  const { status, stderr } = spawnSync(process.execPath, ['sdk/tools/rename-scope.mjs', argument], { cwd: folder, encoding: 'utf8' });
  return { status, stderr };
}

it('changes every mention, and nothing that only looks like one', () => {
  write('app.js', `import '${scope}/expo'; /node_modules\\/${scope}\\/expo/; const name = '${scope}' + '/expo'; // ada${scope}.com`);
  expect(run('--check')).toEqual({ status: 0, stderr: '' });
  expect(run('@acme').status).toBe(0);
  expect(readFileSync(join(folder, 'app.js'), 'utf8')).toBe(
    `import '@acme/expo'; /node_modules\\/@acme\\/expo/; const name = '@acme' + '/expo'; // ada${scope}.com`,
  );
});

it('accepts addresses of a domain with the name of the scope', () => {
  write('people.txt', `ada${scope}.com, ${scope}.com, ${scope}s`);
  expect(run('--check')).toEqual({ status: 0, stderr: '' });
});

it.each(['%2fexpo', '+expo', ' is the scope'])('does not accept a form that it would not change: the scope and %s', (rest) => {
  write('other.txt', `first line\n${scope}${rest}`);
  expect(run('--check')).toEqual({ status: 1, stderr: `other.txt:2: rename-scope.mjs does not know this form of ${scope}\n` });
});
