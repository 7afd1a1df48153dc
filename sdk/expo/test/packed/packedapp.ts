import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Makes a folder with an app that has installed the packed package and nothing else, and returns its path. It is outside this package,
 * because Node.js resolves a package's own name to the package itself.
 */
export function packedApp(): string {
  const app = mkdtempSync(join(tmpdir(), 'waft-app-'));
  const installed = join(app, 'node_modules/@waft/expo');
  mkdirSync(installed, { recursive: true });
  cpSync(fileURLToPath(new URL('node_modules/@waft/expo', import.meta.url)), installed, { recursive: true });
  writeFileSync(join(app, 'package.json'), '{"name":"app"}');
  return app;
}
