// Fails if importing the package in the current folder has side effects. A bundle that imports an entry without using it may
// contain only imports of other packages. The check ignores `sideEffects` in package.json.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { entries, external, manifest } from './entries.mjs';

const entry = 'virtual:nothing-used';

for (const { name } of entries) {
  const bundle = await rolldown({
    input: entry,
    external,
    platform: 'neutral',
    plugins: [{
      name: 'nothing-used',
      resolveId: (id) => (id === entry ? id : undefined),
      load: (id) => (id === entry ? `import ${JSON.stringify(resolve('dist', `${name}.js`))};` : { code: readFileSync(id, 'utf8'), moduleSideEffects: true }),
    }],
  });
  const { output } = await bundle.generate({ format: 'esm' });
  await bundle.close();
  const left = output.map((chunk) => chunk.code ?? '').join('').split('\n').filter((line) => !/^(import ("[^"]*"|.* from "[^"]*");|\/\/.*)?$/.test(line));
  if (left.length > 0) {
    console.error(`${manifest.name} ${name}: of a bundle that uses nothing of it this is left:\n${left.join('\n')}`);
    process.exitCode = 1;
  } else {
    console.log(`${manifest.name} ${name}: nothing is left of it where nothing is used`);
  }
}
