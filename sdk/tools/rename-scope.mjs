// Changes the npm scope of the packages everywhere in the repository, in code, documents, examples and lock files:
//
//   node sdk/tools/rename-scope.mjs @example
//
// With --check, it changes nothing, and fails if a file mentions the scope in a form that it would not change.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const [argument = ''] = process.argv.slice(2);
const isCheck = argument === '--check';
const scope = JSON.parse(readFileSync(`${root}sdk/expo/package.json`, 'utf8')).name.split('/')[0];
/** The scope before a slash, an escaped slash, or the end of a string that is joined with the name. */
const mention = new RegExp(`(?<![\\w.])${scope}(?=\\\\?/[a-z]|["'\`])`, 'g');
/** The scope in any form, but not a longer name or an address such as ada@example.com. */
const anyForm = new RegExp(`(?<![\\w.])${scope}(?![\\w.-])`);

if (!isCheck && !/^@[a-z0-9][a-z0-9._-]*$/.test(argument)) {
  console.error('usage: node sdk/tools/rename-scope.mjs @example | --check');
  process.exit(2);
}

const tracked = execFileSync('git', ['-C', root, 'grep', '-lIzF', '--untracked', scope], { encoding: 'utf8' });
let files = 0;
for (const name of tracked.split('\0').filter((one) => one !== '')) {
  const before = readFileSync(root + name, 'utf8');
  if (isCheck) {
    const left = before.replace(mention, '').split('\n').findIndex((line) => anyForm.test(line));
    if (left >= 0) {
      console.error(`${name}:${left + 1}: rename-scope.mjs does not know this form of ${scope}`);
      process.exitCode = 1;
    }
    continue;
  }
  const after = before.replace(mention, argument);
  if (after !== before) {
    writeFileSync(root + name, after);
    files += 1;
  }
}
if (!isCheck) console.log(`${scope} is now ${argument} in ${files} files; build and test the packages`);
