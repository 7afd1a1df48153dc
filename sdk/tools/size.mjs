// Fails if an entry of the package in the current folder is larger than its budget, `sizeBudget` in package.json. The size
// is in bytes after minification and gzip, and includes all imports except peer dependencies.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { entries, external, manifest } from './entries.mjs';

// Dependencies count, because apps load them only for this package. Peers do not, because apps have them anyway.
const peers = (id) => external(id) && !Object.keys(manifest.dependencies ?? {}).some((d) => id === d || id.startsWith(`${d}/`));

for (const { name, source } of entries) {
  const budget = manifest.sizeBudget[name];
  const resolve = { mainFields: ['module', 'main'] };
  const bundle = await rolldown({ input: source, external: peers, platform: 'neutral', resolve });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  await bundle.close();
  // Files that are packed as they are count without comments.
  const plain = output.flatMap(({ imports = [] }) => imports).filter((id) => id.endsWith('.cjs'))
    .map((id) => readFileSync(basename(id), 'utf8').replaceAll(/^\/\/.*\n/gm, ''));
  const size = gzipSync([...output.map((chunk) => chunk.code ?? ''), ...plain].join(''), { level: 9 }).length;
  console.log(`${manifest.name} ${name}: ${size} of at most ${budget} bytes`);
  if (!(size <= budget)) process.exitCode = 1;
}
