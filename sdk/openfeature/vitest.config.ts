import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { runs } from '../../tools/results.mts';

const peers = ['@openfeature/core', '@openfeature/server-sdk', '@openfeature/web-sdk'];
const source = (name: string): [string, string] => [`@waft/openfeature/${name}`, fileURLToPath(new URL(`src/${name}.ts`, import.meta.url))];
const alias = Object.fromEntries(peers.map((name) => [name, fileURLToPath(new URL(`../oldest/node_modules/${name}`, import.meta.url))]));

export default defineConfig({
  test: {
    ...runs('sdk/openfeature'),
    projects: [
      { extends: true, test: { name: 'newest', include: ['test/*.test.ts'] } },
      // These tests use the package as npm packs it, through its public interface.
      { extends: true, test: { name: 'packed', include: ['test/packed/*.test.ts'], globalSetup: 'test/packed/unpack.ts' } },
      {
        extends: true,
        resolve: { alias: { ...alias, ...Object.fromEntries(['server', 'web'].map(source)) } },
        test: { name: 'oldest', include: ['test/provider.test.ts', 'test/packed/status.test.ts'] },
      },
    ],
  },
});
