import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

vi.setConfig({ testTimeout: 60_000 }); // The tests start npm.

const script = resolve('../tools/publish.mjs');
let folder: string;
let registry: Server;
/** The response of the registry to a request for a package. */
let known: { status: number; body: object };
/** The requests that would change the registry. */
let writes: string[];
/** The bodies of these requests. The registry accepts them if the test sets this to an empty list. */
let accepted: string[] | undefined;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waft-publish-test-'));
  write({
    'package.json': JSON.stringify({ private: true, workspaces: ['one', 'hidden'] }),
    'one/package.json': JSON.stringify({ name: '@test/one', version: '1.2.0', exports: { '.': { import: { default: './dist/index.js' } } }, files: ['dist'] }),
    'one/CHANGELOG.md': '# Changelog\n\n## [1.2.0]\n',
    'one/dist/index.js': '',
    'hidden/package.json': JSON.stringify({ name: 'hidden', version: '1.0.0', private: true }),
  });
  known = { status: 404, body: { error: 'Not found' } };
  writes = [];
  accepted = undefined;
  registry = createServer((request, response) => {
    if (request.method !== 'GET') {
      writes.push(`${request.method ?? ''} ${request.url ?? ''}`);
      if (accepted) {
        const bodies = accepted;
        let body = '';
        request.on('data', (text: Buffer) => (body += text.toString()));
        request.on('end', () => {
          bodies.push(body);
          response.writeHead(201, { 'content-type': 'application/json' }).end('{}');
        });
        return;
      }
    }
    response.writeHead(known.status, { 'content-type': 'application/json' }).end(JSON.stringify(known.body));
  });
  await new Promise<void>((listening) => registry.listen(0, '127.0.0.1', listening));
});

afterEach(() => {
  registry.close();
  rmSync(folder, { recursive: true });
});

function write(files: Record<string, string>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

/** Runs the script in the workspace, with a registry of the test. */
async function run(...args: string[]): Promise<{ code: number | null; output: string }> {
  const address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`;
  const env = {
    ...process.env, npm_config_registry: address, npm_config_fetch_retries: '0', npm_config_cache: join(folder, 'cache'),
    [`npm_config_//${address.slice('http://'.length)}:_authToken`]: 'none',
  };
  const child = spawn(process.execPath, [script, ...args], { cwd: folder, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text: Buffer) => (output += text.toString()));
  }
  const code = await new Promise<number | null>((closed) => child.on('close', closed));
  return { code, output };
}

it('packs a version that is new, and publishes it from the packed file', async () => {
  expect(await run('--pack', 'packed')).toMatchObject({ code: 0 });
  expect(readdirSync(join(folder, 'packed'))).toEqual(['test-one-1.2.0.tgz']);
  rmSync(join(folder, 'one/dist'), { recursive: true }); // The second job does not build.
  known = { status: 404, body: {} };
  const { output } = await run('packed');
  expect(output).toContain('E404'); // The response of this registry to the package.
  expect(writes).toEqual(['PUT /@test%2fone']);
});

/** Packs a package that is not in the workspace. */
function packOther(name: string, destination: string, more: object = {}): void {
  write({ [`made/${name}/package.json`]: JSON.stringify({ name: `@test/${name}`, version: '1.0.0-rc.1', ...more }) });
  mkdirSync(join(folder, destination), { recursive: true });
  execFileSync('npm', ['pack', '--loglevel=error', '--pack-destination', join(folder, destination)], { cwd: join(folder, 'made', name) });
}

it('publishes the packages of another folder too, those with optional dependencies last, and a prerelease not as the latest', async () => {
  expect(await run('--pack', 'packed')).toMatchObject({ code: 0 });
  accepted = [];
  packOther('cli', 'other', { optionalDependencies: { '@test/cli-linux-x64': '1.0.0-rc.1' } });
  packOther('cli-linux-x64', 'other');
  expect(await run('packed', 'other')).toMatchObject({ code: 0, output: expect.stringContaining('@test/cli 1.0.0-rc.1 is published\n') as string });
  expect(writes).toEqual(['PUT /@test%2fone', 'PUT /@test%2fcli-linux-x64', 'PUT /@test%2fcli']);
  expect(accepted.map((body) => (JSON.parse(body) as { 'dist-tags': object })['dist-tags'])).toEqual([
    { latest: '1.2.0' }, { next: '1.0.0-rc.1' }, { next: '1.0.0-rc.1' },
  ]);
});

it('refuses a package in the folder of other packages', async () => {
  expect(await run('--pack', 'packed')).toMatchObject({ code: 0 });
  packOther('cli', 'other');
  packOther('one', 'wrong');
  expect(await run('packed', 'wrong')).toMatchObject({ code: 1, output: expect.stringContaining('one-1.0.0-rc.1.tgz must not be in') as string });
  for (const name of ['cli', 'one']) {
    packOther(name, 'packed');
    const { code, output } = await run('packed', 'other');
    expect({ code, output }).toMatchObject({ code: 1, output: expect.stringContaining(`test-${name}-1.0.0-rc.1.tgz must not be in`) as string });
    rmSync(join(folder, `packed/test-${name}-1.0.0-rc.1.tgz`));
  }
  expect(writes).toEqual([]);
});

it('leaves a version that the registry has', async () => {
  const body = { name: '@test/one', 'dist-tags': { latest: '1.2.0' }, versions: { '1.2.0': { name: '@test/one', version: '1.2.0', dist: { tarball: 'x' } } } };
  known = { status: 200, body };
  expect(await run('--pack', 'packed')).toMatchObject({ code: 0 });
  expect(await run('packed')).toEqual({ code: 0, output: '@test/one 1.2.0 is published already\n' });
  expect(writes).toEqual([]);
});

it('refuses a package without its build, and a version without a section of the changelog', async () => {
  rmSync(join(folder, 'one/dist'), { recursive: true });
  write({ 'one/CHANGELOG.md': '# Changelog\n\n## [Unreleased]\n' });
  for (const mode of [['--pack', 'packed'], ['--dry-run']]) {
    const { code, output } = await run(...mode);
    expect(code).toBe(1);
    expect(output).toContain('@test/one: dist/index.js of "exports" is not packed; run `make sdk`');
    expect(output).toContain('one/CHANGELOG.md has no section [1.2.0]');
  }
  expect(writes).toEqual([]);
});

it('stops when the registry does not say what is published', async () => {
  known = { status: 500, body: {} };
  expect(await run('--pack', 'packed')).toMatchObject({ code: 1, output: expect.stringContaining('cannot read which versions') as string });
  expect(await run('packed')).toMatchObject({ code: 1 });
  expect(writes).toEqual([]);
});

it.each([[[]], [['--publish']], [['--pack']], [['--dry-run', 'a']], [['a', 'b', 'c']]])('explains its arguments instead of running with %j', async (args) => {
  expect(await run(...args)).toMatchObject({ code: 2, output: expect.stringContaining('usage: ') as string });
});
