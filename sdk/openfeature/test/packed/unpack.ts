import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const installed = fileURLToPath(new URL('node_modules/@waft/openfeature', import.meta.url));

/** Packs the built package as npm does, and unpacks it where the tests in this folder resolve `@waft/openfeature`. */
export default function unpack(): void {
  if (!existsSync(`${root}/dist/web.js`)) {
    throw new Error('build the package before its tests, with `npm run build` in sdk/openfeature');
  }
  mkdirSync(`${root}/build`, { recursive: true });
  const pack = ['pack', '--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', 'build'];
  const [tarball] = JSON.parse(execFileSync('npm', pack, { cwd: root, encoding: 'utf8' })) as [{ filename: string }];
  rmSync(installed, { recursive: true, force: true });
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['xzf', `${root}/build/${tarball.filename}`, '-C', installed, '--strip-components=1']);
}
