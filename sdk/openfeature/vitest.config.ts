import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const peers = ['@openfeature/core', '@openfeature/server-sdk', '@openfeature/web-sdk'];
const alias = Object.fromEntries(peers.map((name) => [name, fileURLToPath(new URL(`../oldest/node_modules/${name}`, import.meta.url))]));

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'newest', include: ['test/*.test.ts'] } },
      { resolve: { alias }, test: { name: 'oldest', include: ['test/provider.test.ts'] } },
    ],
  },
});
