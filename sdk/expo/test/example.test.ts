import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const app = fileURLToPath(new URL('../../../examples/expo-app/', import.meta.url));
const files = ['App.js', 'index.js', ...readdirSync(`${app}src`, { recursive: true, encoding: 'utf8' }).map((name) => `src/${name}`)];
const sources = files.filter((name) => name.endsWith('.js')).map((name) => readFileSync(app + name, 'utf8'));

it('leaves an app little to write: the example has half the lines that it takes without the package', () => {
  expect(sources.length).toBeGreaterThan(5);
  expect(sources.join('').split('\n').length - 1).toBeLessThanOrEqual(175);
});

it('leaves an app nothing of its own for health, updates and flags', () => {
  expect(sources.join('')).not.toMatch(/\bfetch\w*\(|ErrorUtils|AsyncStorage|componentDidCatch|checkForUpdateAsync|reloadAsync|setProvider/);
});
