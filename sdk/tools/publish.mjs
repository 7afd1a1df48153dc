// Publishes each package whose version the registry does not have yet. The release workflow runs it, because npm can prove the
// provenance of a package only there. With --dry-run, it packs and checks the packages, and sends nothing.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const isDry = process.argv.includes('--dry-run');
const workspace = JSON.parse(readFileSync('package.json', 'utf8'));

for (const folder of workspace.workspaces) {
  const { name, version, private: isPrivate } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  if (isPrivate) continue;
  const { stdout, stderr } = spawnSync('npm', ['view', '--json', `${name}@${version}`, 'version'], { encoding: 'utf8' });
  if (stdout.trim() === JSON.stringify(version)) {
    console.log(`${name} ${version} is published already`);
    continue;
  }
  if (!/E404/.test(stdout + stderr) && stdout.trim() !== '') {
    throw new Error(`cannot read which versions of ${name} are published: ${stdout}${stderr}`);
  }
  if (!readFileSync(`${folder}/CHANGELOG.md`, 'utf8').includes(`\n## [${version}]`)) {
    const problem = `${folder}/CHANGELOG.md has no section [${version}]`;
    if (!isDry) throw new Error(problem);
    console.log(problem);
  }
  execFileSync('npm', ['publish', '--ignore-scripts', '--loglevel=error', ...(isDry ? ['--dry-run'] : [])], { cwd: folder, stdio: 'inherit' });
  console.log(`${name} ${version} ${isDry ? 'could be' : 'is'} published`);
}
