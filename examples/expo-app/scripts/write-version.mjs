// Writes src/version.json, the only file in which two versions of the app differ.
// The values are in a module rather than in environment variables. Metro identifies a module by its content,
// so its cache cannot give one version the values of another.
//
//   node scripts/write-version.mjs LABEL
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

const colours = { stable: '#1c7c54', broken: '#b3261e' };

const label = process.argv[2] ?? '';
if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(label)) {
  console.error(`a version is 1 to 64 letters, digits, dots, dashes or underscores, not "${label}"`);
  process.exit(2);
}

const hue = createHash('sha256').update(label).digest().readUInt16BE(0) % 360;
const version = {
  label,
  colour: colours[label] ?? `hsl(${hue}, 55%, 35%)`,
  faulty: label === 'broken',
};

const file = new URL('../src/version.json', import.meta.url);
const text = `${JSON.stringify(version, null, 2)}\n`;
let current = '';
try {
  current = readFileSync(file, 'utf8');
} catch {
  // The file does not exist yet.
}
if (text !== current) {
  writeFileSync(file, text);
}
