// Checks the types of the TypeScript and JavaScript blocks of pages against the packages as they are built. A block may use the names that
// pages.d.ts declares; it imports everything else, as an app does.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const sdk = fileURLToPath(new URL('..', import.meta.url));
const root = dirname(sdk.replace(/\/$/, ''));
const options = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  jsx: ts.JsxEmit.ReactJSX,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
  types: [],
  strict: true,
  skipLibCheck: true,
  noEmit: true,
  paths: {
    '@waft/expo': [join(sdk, 'expo/dist/index.d.ts')],
    '@waft/expo/app.plugin': [join(sdk, 'expo/app.plugin.d.cts')],
    '@waft/expo/*': [join(sdk, 'expo/dist/*.d.ts')],
    '@waft/openfeature/*': [join(sdk, 'openfeature/dist/*.d.ts')],
  },
};

/** The folders of pages that people read to use Waft. */
const folders = ['start', 'move', 'guides', 'concepts', 'reference', 'operations'];
/** Pages whose blocks are signatures that a tool writes, and a program for Node.js that the test of its page runs. */
const others = /^docs\/(reference\/packages\/(expo|openfeature-)|guides\/integrations\/webhooks\.md$)/;

/** Returns the paths of the pages whose blocks are checked, relative to the repository. */
function pages() {
  const inFolder = (folder) => readdirSync(join(root, 'docs', folder), { recursive: true }).map((name) => `docs/${folder}/${name}`);
  return [...folders.flatMap(inFolder), 'sdk/expo/README.md', 'sdk/openfeature/README.md']
    .filter((name) => name.endsWith('.md') && !others.test(name));
}

/** Returns the blocks of a page as files of TypeScript. Every line keeps its number, so that an error names the line of the page. */
function blocksOf(page) {
  const blocks = [];
  let block;
  for (const [i, line] of readFileSync(join(root, page), 'utf8').split('\n').entries()) {
    const fence = /^ *```(\w*)/.exec(line);
    if (fence && block) block = undefined;
    else if (fence) {
      block = { language: fence[1], text: '\n'.repeat(i + 1) };
      blocks.push(block);
    } else if (block) block.text += `${line}\n`;
  }
  return blocks.filter(({ language }) => /^[jt]sx?$/.test(language)).map(({ text }) => `${text}export {};\n`);
}

const files = new Map();
for (const page of pages()) {
  for (const [i, text] of blocksOf(page).entries()) files.set(join(sdk, 'pages', `${page.replaceAll('/', '+')}+${i}.tsx`), text);
}
if (files.size === 0) throw new Error('no page has a block of TypeScript or JavaScript');

const host = ts.createCompilerHost(options);
const { fileExists, readFile, getSourceFile } = host;
host.fileExists = (name) => files.has(name) || fileExists(name);
host.readFile = (name) => files.get(name) ?? readFile(name);
host.getSourceFile = (name, target, ...others) =>
  files.has(name) ? ts.createSourceFile(name, files.get(name), target) : getSourceFile(name, target, ...others);

const program = ts.createProgram([...files.keys(), join(sdk, 'tools/pages.d.ts'), join(sdk, 'expo/types/peers.d.ts')], options, host);
const problems = ts.getPreEmitDiagnostics(program);
for (const { file, start, messageText } of problems) {
  const where = file && files.has(file.fileName)
    ? `${relative(join(sdk, 'pages'), file.fileName).replace(/\+\d+\.tsx$/, '').replaceAll('+', '/')}:${file.getLineAndCharacterOfPosition(start).line + 1}: `
    : file ? `${relative(root, file.fileName)}: ` : '';
  console.error(where + ts.flattenDiagnosticMessageText(messageText, '\n'));
}
if (problems.length > 0) process.exit(1);
console.log(`the types of ${files.size} blocks on pages are right`);
