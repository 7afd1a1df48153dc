import { join } from 'node:path';
import { Application, Converter, Logger, LogLevel } from 'typedoc';
import { prepare, withoutDefault } from './reflections.mjs';

const options = {
  plugin: ['typedoc-plugin-markdown'],
  name: 'Waft',
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

/** Keeps warnings and errors instead of printing them. */
class Problems extends Logger {
  texts = [];

  log(message, level) {
    super.log(message, level);
    if (level >= LogLevel.Warn) this.texts.push(message);
  }
}

/** Writes the pages of entries into a folder, and returns the problems: texts and defaults that are missing, and links that lead nowhere. */
export async function generate({ folder, tsconfig, entries, undocumented = [] }, out) {
  const app = await Application.bootstrapWithPlugins({
    ...options,
    // The name of the page of a single entry.
    ...(Object.keys(entries).length === 1 ? { entryFileName: Object.keys(entries)[0] } : {}),
    intentionallyNotDocumented: undocumented,
    outputs: [{ name: 'markdown', path: out }],
    basePath: folder,
    tsconfig: join(folder, tsconfig),
    entryPoints: Object.values(entries).map(([, file]) => join(folder, file)),
  });
  const problems = new Problems();
  app.logger = problems;
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => { prepare(project, entries); });
  const project = await app.convert();
  if (!project) return problems.texts;
  app.validate(project);
  await app.generateOutputs(project);
  return [...problems.texts, ...withoutDefault(project).map((name) => `${name} is optional: write its default as @defaultValue`)];
}
