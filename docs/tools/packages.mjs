// Writes the reference pages of the packages' entries from their types. With --check, fails if a page is not current. An optional setting
// without a default is an error, and so is an export without a description.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generate } from './generate.mjs';
import { plain } from './pagetext.mjs';

const isCheck = process.argv.includes('--check');
const root = fileURLToPath(new URL('../..', import.meta.url));
const pages = join(root, 'docs/reference/packages');

/** The entries that TypeDoc reads together: for each page the module that an app imports, and the file of its types. */
const programs = [
  {
    folder: 'sdk/expo', tsconfig: 'tsconfig.build.json', entries: {
      'expo': ['@waft/expo', 'src/index.ts'],
      'expo-health': ['@waft/expo/health', 'src/entries/health.ts'],
      'expo-updates': ['@waft/expo/updates', 'src/entries/updates.ts'],
      'expo-flags': ['@waft/expo/flags', 'src/entries/flags.ts'],
    },
    // The state of a component, which only the component itself reads.
    undocumented: ['expo.WaftErrorBoundary.__type.failure', 'expo.WaftErrorBoundary.__type.failure.__type.error'],
  },
  { folder: 'sdk/expo', tsconfig: 'tsconfig.plugin.json', entries: { 'expo-plugin': ['@waft/expo/app.plugin', 'app.plugin.d.cts'] } },
  { folder: 'sdk/openfeature', tsconfig: 'tsconfig.build.json', entries: { 'openfeature-server': ['@waft/openfeature/server', 'src/server.ts'] } },
  { folder: 'sdk/openfeature', tsconfig: 'tsconfig.build.json', entries: { 'openfeature-web': ['@waft/openfeature/web', 'src/web.ts'] } },
];

const problems = [];
for (const program of programs) {
  const out = mkdtempSync(join(tmpdir(), 'waft-reference-'));
  try {
    problems.push(...await generate({ ...program, folder: join(root, program.folder) }, out));
    for (const [name, [module]] of Object.entries(program.entries)) {
      const page = join(pages, `${name}.md`);
      const text = plain(readFileSync(join(out, `${name}.md`), 'utf8'), module);
      if (!isCheck) writeFileSync(page, text);
      else if (!existsSync(page) || readFileSync(page, 'utf8') !== text) {
        problems.push(`docs/reference/packages/${basename(page)} is not current: run \`make docs-packages\``);
      }
    }
  } finally {
    rmSync(out, { recursive: true });
  }
}
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
