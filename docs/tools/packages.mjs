// Writes the reference pages of the packages' entries from their types, with TypeDoc. With --check, fails if a page is not current. An
// optional setting without a default is an error, and so is an export without a description.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Application, Converter } from 'typedoc';
import { plain } from './pagetext.mjs';
import { prepare, withoutDefault } from './reflections.mjs';

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

const options = {
  plugin: ['typedoc-plugin-markdown'],
  router: 'module',
  readme: 'none',
  logLevel: 'Warn',
  validation: { notExported: false, invalidLink: true, notDocumented: true },
  requiredToBeDocumented: ['Class', 'Constructor', 'Function', 'Interface', 'Method', 'Property', 'TypeAlias'],
  excludeExternals: true,
  excludePrivate: true,
  disableSources: true,
  hideBreadcrumbs: true,
  hidePageHeader: true,
  hideGroupHeadings: true,
  groupOrder: ['Functions', 'Classes', 'Interfaces', 'Type Aliases', 'References'],
  useCodeBlocks: true,
  expandParameters: true,
  interfacePropertiesFormat: 'table',
  classPropertiesFormat: 'table',
  parametersFormat: 'table',
  typeDeclarationFormat: 'table',
  tableColumnSettings: { hideInherited: true, hideModifiers: true, hideOverrides: true, hideSources: true },
};

/** Writes the pages of entries into a folder. Returns false if a description or a default is missing. */
async function generate({ folder, tsconfig, entries, undocumented = [] }, out) {
  const app = await Application.bootstrapWithPlugins({
    ...options,
    intentionallyNotDocumented: undocumented,
    outputs: [{ name: 'markdown', path: out }],
    ...(Object.keys(entries).length === 1 ? { entryFileName: Object.keys(entries)[0] } : {}),
    basePath: join(root, folder),
    tsconfig: join(root, folder, tsconfig),
    entryPoints: Object.values(entries).map(([, file]) => join(root, folder, file)),
  });
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => { prepare(project, entries); });
  const project = await app.convert();
  if (!project) return false;
  app.validate(project);
  for (const name of withoutDefault(project)) app.logger.error(`${name} is optional: write its default as @defaultValue`);
  await app.generateOutputs(project);
  return !app.logger.hasErrors() && !app.logger.hasWarnings();
}

const problems = [];
for (const program of programs) {
  const out = mkdtempSync(join(tmpdir(), 'waft-reference-'));
  try {
    if (!await generate(program, out)) problems.push(`the types of ${program.folder} lack texts, see above`);
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
