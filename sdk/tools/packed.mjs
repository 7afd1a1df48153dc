// Packs the package in the current folder as npm publishes it, and fails if the tarball is not ready for the registry.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { manifest } from './entries.mjs';

const workspace = JSON.parse(readFileSync('../package.json', 'utf8'));
const problems = [];

/** Checks a text that users read before they install the package. */
function checkNode(name, text) {
  for (const [, version] of text.matchAll(/Node\.js (\d[\d.]*\d)/g)) {
    if (`>=${version}` !== workspace.engines.node) {
      problems.push(`${name} names Node.js ${version}, but sdk/package.json has ${workspace.engines.node}`);
    }
  }
}

const folder = mkdtempSync(join(tmpdir(), 'waft-packed-'));
try {
  const pack = ['pack', '--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder];
  const [{ filename }] = JSON.parse(execFileSync('npm', pack, { encoding: 'utf8' }));
  execFileSync('tar', ['xzf', join(folder, filename), '-C', folder]);
  const unpacked = join(folder, 'package');
  for (const name of ['CHANGELOG.md', 'LICENSE', 'README.md']) {
    if (!existsSync(join(unpacked, name))) problems.push(`${name} is not packed`);
  }
  for (const name of readdirSync(unpacked, { recursive: true, encoding: 'utf8' })) {
    const path = join(unpacked, name);
    const link = /\.[cm]?[jt]s$/.test(name) ? /sourceMappingURL=(\S+)/.exec(readFileSync(path, 'utf8'))?.[1] : undefined;
    if (link && !existsSync(join(dirname(path), link))) problems.push(`${name} links to ${link}, which is not packed`);
  }
  const readme = readFileSync(join(unpacked, 'README.md'), 'utf8');
  if (!readme.includes('Node.js ')) problems.push('README.md does not name the version of Node.js');
  checkNode('README.md', readme);
} finally {
  rmSync(folder, { recursive: true });
}

const examples = readdirSync('../../examples').map((name) => `../../examples/${name}/README.md`).filter((path) => existsSync(path));
for (const path of readdirSync('../../examples').map((name) => `../../examples/${name}/package.json`).filter((each) => existsSync(each))) {
  const { engines } = JSON.parse(readFileSync(path, 'utf8'));
  if (engines?.node !== workspace.engines.node) {
    problems.push(`${path.slice('../../'.length)}: engines.node is ${engines?.node}, but sdk/package.json has ${workspace.engines.node}`);
  }
}
for (const path of ['../../README.md', '../../CONTRIBUTING.md', '../../docs/start/your-app.md', '../../docs/reference/packages/index.md', ...examples]) {
  checkNode(path.slice('../../'.length), readFileSync(path, 'utf8'));
}
if (manifest.engines?.node !== workspace.engines.node) {
  problems.push(`engines.node is ${manifest.engines?.node}, but sdk/package.json has ${workspace.engines.node}`);
}
if (manifest.publishConfig?.access !== 'public' || manifest.publishConfig.provenance !== true) {
  problems.push('publishConfig must have the access "public" and the provenance true');
}
if (existsSync('CHANGELOG.md') && !/^## \[Unreleased\]$/m.test(readFileSync('CHANGELOG.md', 'utf8'))) {
  problems.push('CHANGELOG.md has no section [Unreleased]');
}

for (const problem of problems) console.error(`${manifest.name}: ${problem}`);
if (problems.length > 0) process.exit(1);
console.log(`${manifest.name}: the tarball is ready for the registry`);
