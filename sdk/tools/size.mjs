// Fails when an entry of the package in the current folder is larger than its budget: minified, with all that it
// imports except what is installed beside it, and compressed. The budget is bytes of gzip, `sizeBudget` in package.json.
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { entries, external, manifest } from './entries.mjs';

// Dependencies count, since whoever installs the package loads them because of it; peers are there anyway.
const peers = (id) => external(id) && !Object.keys(manifest.dependencies ?? {}).some((d) => id === d || id.startsWith(`${d}/`));

for (const { name, source } of entries) {
  const budget = manifest.sizeBudget[name];
  const resolve = { mainFields: ['module', 'main'] };
  const bundle = await rolldown({ input: source, external: peers, platform: 'neutral', resolve });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  await bundle.close();
  const size = gzipSync(output.map((chunk) => chunk.code ?? '').join(''), { level: 9 }).length;
  console.log(`${manifest.name} ${name}: ${size} of at most ${budget} bytes`);
  if (!(size <= budget)) process.exitCode = 1;
}
