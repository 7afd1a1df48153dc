// Publishes the packages of the workspace in the current folder, and the packed packages of the CLI, to npm, in two steps, which are two jobs of the release workflow:
//
//   node tools/publish.mjs --pack FOLDER   packs and checks the built packages; an error lists what is not ready
//   node tools/publish.mjs FOLDER [CLI]    publishes each packed package whose version the registry does not have yet. FOLDER must contain
//                                          the packages of the workspace and no others, and CLI only others: the jobs that fill these
//                                          folders cannot replace each other's packages
//   node tools/publish.mjs --dry-run       does both, and sends nothing; reports what is not ready, and continues
//
// The second step runs only this file and npm, because its job may publish: the tools that build the packages must not run there. npm
// can prove the provenance of a package only in the workflow.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const [first = '', second = ''] = process.argv.slice(2);
const isDry = first === '--dry-run';
const isPack = first === '--pack';
if (process.argv.length > 4 || (isDry ? second !== '' : (isPack ? second : first) === '' || (!isPack && first.startsWith('-')))) {
  console.error('usage: node tools/publish.mjs --pack FOLDER | FOLDER [CLI] | --dry-run');
  process.exit(2);
}

const workspace = JSON.parse(readFileSync('package.json', 'utf8'));
const packages = workspace.workspaces
  .map((folder) => ({ folder, ...JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) }))
  .filter((each) => !each.private);

/** Returns true if the registry has the version of the package. */
function isPublished({ name, version }) {
  const { stdout, stderr, status } = spawnSync('npm', ['view', '--json', `${name}@${version}`, 'version'], { encoding: 'utf8' });
  if (status === 0) {
    return stdout.trim() === JSON.stringify(version);
  }
  if (!/\bE404\b/.test(stdout + stderr)) {
    throw new Error(`cannot read which versions of ${name} are published: ${stdout}${stderr}`);
  }
  return false;
}

/** Returns the files that a value of `exports` in package.json names. */
function filesOf(exported) {
  return typeof exported === 'string' ? [exported.replace(/^\.\//, '')] : Object.values(exported).flatMap(filesOf);
}

/** Packs a package into the folder, and returns what is not ready to be published. */
function pack({ folder, name, version, exports }, destination) {
  const options = ['--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', destination];
  const [{ files }] = JSON.parse(execFileSync('npm', ['pack', ...options], { cwd: folder, encoding: 'utf8' }));
  const packed = new Set(files.map(({ path }) => path));
  const missing = filesOf(exports ?? {}).filter((path) => !packed.has(path));
  return [
    ...(missing.length > 0 ? [`${name}: ${missing.join(', ')} of "exports" is not packed; run \`make sdk\``] : []),
    ...(readFileSync(`${folder}/CHANGELOG.md`, 'utf8').includes(`\n## [${version}]`) ? [] : [`${folder}/CHANGELOG.md has no section [${version}]`]),
  ];
}

/** Returns the tarballs in a folder. A package comes after the packages that it depends on optionally, so that nobody installs it without them. */
function tarballsIn(folder) {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.tgz'))
    .map((file) => {
      const path = join(folder, file);
      return { path, ...JSON.parse(execFileSync('tar', ['-xzOf', path, 'package/package.json'], { encoding: 'utf8' })) };
    })
    .sort((a, b) => Number('optionalDependencies' in a) - Number('optionalDependencies' in b));
}

const destination = isDry ? mkdtempSync(join(tmpdir(), 'waft-publish-')) : resolve(isPack ? second : first);
try {
  if (isPack || isDry) {
    mkdirSync(destination, { recursive: true });
    const news = packages.filter((each) => !isPublished(each));
    const problems = packages.flatMap((each) => pack(each, destination).filter(() => news.includes(each)));
    problems.forEach((problem) => console.error(problem));
    if (problems.length > 0) process.exitCode = 1;
  }
  const packed = isPack ? [] : tarballsIn(destination);
  const absent = isPack ? [] : packages.filter(({ name, version }) => !packed.some((each) => each.name === name && each.version === version));
  if (absent.length > 0) {
    throw new Error(`${destination} has no packed ${absent.map(({ name, version }) => `${name} ${version}`).join(', ')}`);
  }
  const others = isPack || isDry || second === '' ? [] : tarballsIn(resolve(second));
  const isOwn = ({ name, version }) => packages.some((each) => each.name === name && each.version === version);
  const wrong = [...packed.filter((each) => !isOwn(each)), ...others.filter(({ name }) => packages.some((each) => each.name === name))];
  if (wrong.length > 0) {
    throw new Error(`${wrong.map(({ path }) => path).join(', ')} must not be in that folder`);
  }
  for (const each of [...packed, ...others]) {
    if (isPublished(each)) {
      console.log(`${each.name} ${each.version} is published already`);
      continue;
    }
    // A version such as 0.2.0-rc.1 must not become what `npm install` takes.
    const tag = each.version.includes('-') ? ['--tag', 'next'] : [];
    const options = ['--ignore-scripts', '--loglevel=error', ...tag, ...(isDry ? ['--dry-run'] : [])];
    execFileSync('npm', ['publish', each.path, ...options], { stdio: 'inherit' });
    console.log(`${each.name} ${each.version} ${isDry ? 'was not sent' : 'is published'}`);
  }
} finally {
  if (isDry) rmSync(destination, { recursive: true });
}
