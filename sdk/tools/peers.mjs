// Checks the types of the package in the current folder against the oldest and the newest versions of its peers. The peers in
// peers.json are too large to install with their dependencies, so only their own types are unpacked, into .peers. The other peers
// are installed.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const sets = JSON.parse(readFileSync('peers.json', 'utf8'));
const installed = { oldest: resolve('../oldest/node_modules'), newest: resolve('../node_modules') };
const small = ['@openfeature/core', '@openfeature/react-sdk', '@openfeature/web-sdk', 'expo-updates'];

/** Unpacks a package into a folder, unless it exists. npm verifies the package's integrity. */
function unpack(name, version, folder) {
  if (existsSync(folder)) return;
  const half = `${folder}.new`;
  rmSync(half, { recursive: true, force: true });
  mkdirSync(half, { recursive: true });
  const pack = ['pack', '--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', half, `${name}@${version}`];
  const [{ filename }] = JSON.parse(execFileSync('npm', pack, { encoding: 'utf8' }));
  execFileSync('tar', ['xzf', join(half, filename), '-C', half, '--strip-components=1', '--wildcards', '*.ts', '*/package.json']);
  rmSync(join(half, filename));
  renameSync(half, folder);
}

for (const [set, versions] of Object.entries(sets)) {
  const folders = Object.fromEntries(small.map((name) => [name, join(installed[set], name)]));
  for (const [name, version] of Object.entries(versions)) {
    const folder = resolve('.peers', `${name.replace('/', '+')}@${version}`);
    unpack(name, version, folder);
    folders[name.replace(/^@types\//, '')] = folder;
  }
  const paths = Object.fromEntries(Object.entries(folders).flatMap(([name, folder]) => [[name, [folder]], [`${name}/*`, [`${folder}/*`]]]));
  const config = `.peers/${set}.json`;
  writeFileSync(config, JSON.stringify({ extends: '../tsconfig.json', include: ['../src', '../test/peers'], exclude: [], compilerOptions: { paths } }));
  const { status } = spawnSync('tsc', ['-p', config], { stdio: 'inherit' });
  if (status !== 0) {
    console.error(`The types do not fit the ${set} peers, see peers.json and ${installed[set]}.`);
    process.exit(1);
  }
  console.log(`the types fit the ${set} peers: ${Object.entries(versions).map(([name, version]) => `${name} ${version}`).join(', ')}`);
}
