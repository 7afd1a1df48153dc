// Writes src/version.json, the one file in which two versions of the app differ.
// The values travel as a module and not as environment variables: Metro knows a module by its content,
// so its cache cannot serve one version the values of another.
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
  // Not written yet.
}
if (text !== current) {
  writeFileSync(file, text);
}
