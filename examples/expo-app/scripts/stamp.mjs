// Prints a digest. export.sh compares digests to find out if an export is up to date.
//
//   node scripts/stamp.mjs sources        the current files of the app and of the package that it uses
//   node scripts/stamp.mjs output FOLDER  a finished export
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const app = fileURLToPath(new URL('..', import.meta.url));
// All other files in the folder are part of an export or affect how it is built.
const noSource = new Set(['.export', '.expo', '.git', 'android', 'dist', 'ios', 'node_modules', 'README.md']);
const generated = path.join('src', 'version.json');

function* files(root, folder = '', skip = new Set()) {
  const entries = readdirSync(path.join(root, folder), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const name = path.join(folder, entry.name);
    if (skip.has(name)) {
      continue;
    }
    if (entry.isDirectory()) {
      yield* files(root, name, skip);
    } else if (entry.isFile() && name !== generated) {
      yield name;
    }
  }
}

const [kind, folder] = process.argv.slice(2);
const digest = createHash('sha256');

function add(root, names) {
  for (const name of names) {
    const content = readFileSync(path.join(root, name));
    digest.update(`${name}\0${content.length}\0`).update(content);
  }
}

if (kind === 'sources') {
  const pack = path.join(app, '..', '..', 'sdk', 'expo');
  const dist = path.join(pack, 'dist');
  add(app, files(app, '', noSource));
  add(dist, files(dist));
  add(pack, ['package.json', 'app.plugin.cjs', 'asyncstorage.cjs']);
} else {
  add(folder, files(folder));
}
console.log(digest.digest('hex'));
