import { existsSync, readFileSync } from 'node:fs';

/** The package.json of the package in the current folder. */
export const manifest = JSON.parse(readFileSync('package.json', 'utf8'));

/**
 * The entries of the package: each key of its `exports` with a `types` condition, such as "./server" or ".", with the
 * name of its files. "./server" is built from src/entries/server.ts or src/server.ts into dist/server.*, "." from src/index.ts.
 */
export const entries = Object.entries(manifest.exports)
  .filter(([, target]) => typeof target === 'object')
  .map(([subpath]) => {
    const name = subpath === '.' ? 'index' : subpath.slice('./'.length);
    const source = [`src/entries/${name}.ts`, `src/${name}.ts`].find((file) => existsSync(file));
    if (!source) throw new Error(`${manifest.name}: exports["${subpath}"] has no src/${name}.ts`);
    return { name, source };
  });

/** Returns true if a module is not bundled but installed together with the package, or packed as it is. */
export function external(id) {
  if (id.endsWith('.cjs')) return true;
  const packages = Object.keys({ ...manifest.peerDependencies, ...manifest.dependencies });
  return id.startsWith('node:') || packages.some((name) => id === name || id.startsWith(`${name}/`));
}
