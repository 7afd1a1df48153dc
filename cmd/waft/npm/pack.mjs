// Makes the npm packages of the CLI from the binaries of GoReleaser, which the release archives have too:
//
//   node cmd/waft/npm/pack.mjs dist packed
//
// The first folder is GoReleaser's, with artifacts.json and metadata.json. The second gets a tarball for each platform, and the tarball of the
// package that users install. That package depends on all platforms optionally, and npm leaves out those that do not fit. No script runs
// during an installation.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const [dist = '', destination = ''] = process.argv.slice(2);
if (dist === '' || destination === '') {
  console.error('usage: node cmd/waft/npm/pack.mjs DIST DESTINATION');
  process.exit(2);
}

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, '../../..');
const name = '@waft/cli';
/** Node.js's names of operating systems and processors, by Go's. */
const systems = { linux: 'linux', darwin: 'darwin', windows: 'win32' };
const processors = { amd64: 'x64', arm64: 'arm64' };

const { version } = JSON.parse(readFileSync(join(dist, 'metadata.json'), 'utf8'));
const binaries = JSON.parse(readFileSync(join(dist, 'artifacts.json'), 'utf8'))
  .filter(({ type, extra }) => type === 'Binary' && extra?.ID === 'waft')
  .map(({ path, goos, goarch }) => ({
    // GoReleaser's paths begin with the name of its folder.
    path: join(dist, ...path.split(/[\\/]/).slice(1)),
    os: systems[goos],
    cpu: processors[goarch],
  }));
const expected = Object.values(systems).flatMap((os) => Object.values(processors).map((cpu) => `${os}-${cpu}`));
const missing = expected.filter((target) => !binaries.some(({ os, cpu }) => `${os}-${cpu}` === target));
if (missing.length > 0) {
  console.error(`${join(dist, 'artifacts.json')} has no binary of waft for ${missing.join(', ')}`);
  process.exit(1);
}

const common = {
  version,
  license: 'Apache-2.0',
  homepage: 'https://github.com/waft-ota/waft',
  repository: { type: 'git', url: 'git+https://github.com/waft-ota/waft.git', directory: 'cmd/waft/npm' },
  publishConfig: { access: 'public', provenance: true },
  preferUnplugged: true, // Yarn must unpack a binary to run it
};

/** Packs a package whose files are given by their paths in it. */
function pack(manifest, files) {
  const folder = mkdtempSync(join(tmpdir(), 'waft-npm-'));
  try {
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ ...manifest, ...common }, null, 2)}\n`);
    mkdirSync(join(folder, 'bin'));
    for (const [path, source] of Object.entries({ ...files, LICENSE: join(root, 'LICENSE') })) {
      copyFileSync(source, join(folder, path));
      if (path.startsWith('bin/')) chmodSync(join(folder, path), 0o755);
    }
    execFileSync('npm', ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', resolve(destination)], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: process.platform === 'win32',
    });
    console.log(`${manifest.name} ${version}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

mkdirSync(destination, { recursive: true });
const platforms = {};
for (const { path, os, cpu } of binaries) {
  const target = `${name}-${os}-${cpu}`;
  const file = `bin/waft${os === 'win32' ? '.exe' : ''}`;
  platforms[target] = version;
  pack(
    { name: target, description: `The binary of ${name} for ${os} on ${cpu}. Install ${name} instead.`, os: [os], cpu: [cpu], files: ['bin'] },
    { [file]: path },
  );
}
pack(
  {
    name,
    description: 'The command line of Waft: publish over-the-air releases of mobile apps, watch rollouts and roll back.',
    keywords: ['waft', 'expo', 'expo-updates', 'react-native', 'ota', 'cli'],
    bin: { waft: 'bin/waft.cjs' },
    files: ['bin'],
    engines: { node: '>=18' },
    optionalDependencies: platforms,
  },
  { 'bin/waft.cjs': join(here, 'waft.cjs'), 'README.md': join(here, 'README.md') },
);
