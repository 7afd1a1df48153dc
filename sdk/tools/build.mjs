// Builds the package in the current folder: ES modules, CommonJS, and one file of types for each entry. Then compares
// its public interface with the report in api/. With --update, writes the report.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor';
import { rolldown } from 'rolldown';
import { entries, external } from './entries.mjs';

const update = process.argv.includes('--update');
rmSync('dist', { recursive: true, force: true });
rmSync('build', { recursive: true, force: true });

/**
 * Makes CommonJS take the default export of peers from `default`, as their authors mean it and bundlers do. Because of this package's
 * "type", rolldown writes imports as Node.js does them in ES modules, where the default is all of `module.exports`.
 */
const interop = {
  name: 'interop',
  renderChunk: (code, _chunk, { format }) =>
    format === 'cjs' ? { code: code.replaceAll(/__toESM\((\w+), 1\)/g, '__toESM($1)') } : null,
};

const bundle = await rolldown({
  input: Object.fromEntries(entries.map(({ name, source }) => [name, source])),
  external,
  platform: 'neutral',
  plugins: [interop],
});
for (const [format, extension] of [['esm', 'js'], ['cjs', 'cjs']]) {
  await bundle.write({
    dir: 'dist', format, entryFileNames: `[name].${extension}`, chunkFileNames: `shared-[hash].${extension}`,
  });
}
await bundle.close();

const types = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--rootDir', 'src', '--outDir', 'build/types'];
const { status } = spawnSync('tsc', ['-p', 'tsconfig.build.json', ...types], { stdio: 'inherit' });
if (status !== 0) process.exit(1);

mkdirSync('api', { recursive: true });
for (const { name, source } of entries) {
  const config = ExtractorConfig.prepare({
    packageJsonFullPath: resolve('package.json'),
    configObjectFullPath: undefined,
    configObject: {
      projectFolder: resolve('.'),
      mainEntryPointFilePath: resolve(source.replace(/^src/, 'build/types').replace(/\.ts$/, '.d.ts')),
      newlineKind: 'lf',
      compiler: { tsconfigFilePath: resolve('tsconfig.build.json') },
      apiReport: {
        enabled: true, reportFileName: `${name}.api.md`, reportFolder: resolve('api'), reportTempFolder: resolve('build/api'),
      },
      docModel: { enabled: false },
      tsdocMetadata: { enabled: false },
      dtsRollup: { enabled: true, untrimmedFilePath: resolve(`dist/${name}.d.ts`) },
      messages: {
        extractorMessageReporting: {
          default: { logLevel: ExtractorLogLevel.Error },
          'ae-missing-release-tag': { logLevel: ExtractorLogLevel.None },
        },
      },
    },
  });
  // Informational messages are not about the package.
  const result = Extractor.invoke(config, {
    localBuild: update,
    messageCallback: (message) => { message.handled = message.logLevel === ExtractorLogLevel.Info; },
  });
  if (!result.succeeded) {
    console.error(`The public interface has errors or differs from api/${name}.api.md; "npm run api" writes that file.`);
    process.exit(1);
  }
  copyFileSync(`dist/${name}.d.ts`, `dist/${name}.d.cts`);
}
