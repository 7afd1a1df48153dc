import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { runs } from '../../tools/results.mts';

const peers = ['@openfeature/core', '@openfeature/server-sdk', '@openfeature/web-sdk'];
const alias = Object.fromEntries(peers.map((name) => [name, fileURLToPath(new URL(`../oldest/node_modules/${name}`, import.meta.url))]));

export default defineConfig({
  test: {
    ...runs('sdk/openfeature'),
    projects: [
      { extends: true, test: { name: 'newest', include: ['test/*.test.ts'] } },
      { extends: true, resolve: { alias }, test: { name: 'oldest', include: ['test/provider.test.ts'] } },
    ],
  },
});
