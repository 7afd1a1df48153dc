import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { runs } from '../../tools/results.mts';

const double = (name: string): string => fileURLToPath(new URL(`test/doubles/${name}.ts`, import.meta.url));
const oldest = (name: string): [string, string] => [name, fileURLToPath(new URL(`../oldest/node_modules/${name}`, import.meta.url))];

// Peers that only exist on a device are doubles. expo-updates is the real package with a double of its native module.
const alias = {
  'react-native': double('react-native'),
  'expo/fetch': double('expo-fetch'),
  'expo-constants': double('expo-constants'),
  'expo-modules-core': double('expo-modules-core'),
  '../asyncstorage.cjs': double('async-storage'), // It requires the peer, and Node.js does not resolve aliases. entries.test.ts uses the file.
  expo: double('expo'), // After expo/fetch, which it would match.
};

const peers = ['expo-updates', 'react', 'react-dom', '@openfeature/core', '@openfeature/react-sdk', '@openfeature/web-sdk'];

const shared = {
  environment: 'node',
  include: ['test/*.test.ts', 'test/*.test.tsx'],
  server: { deps: { inline: [/expo-updates/, /react-sdk/] } },
};

export default defineConfig({
  test: {
    ...runs('sdk/expo'),
    projects: [
      { extends: true, define: { __DEV__: 'false', __PEERS__: '"newest"' }, resolve: { alias }, test: { ...shared, name: 'newest' } },
      {
        // These tests use the package as npm packs it, through its public interface.
        extends: true,
        define: { __DEV__: 'false' },
        resolve: { alias },
        test: {
          ...shared,
          name: 'packed',
          include: ['test/packed/*.test.ts', 'test/packed/*.test.tsx'],
          globalSetup: 'test/packed/unpack.ts',
          server: { deps: { inline: [/expo-updates/, /react-sdk/, /@waft\/expo/] } },
        },
      },
      {
        extends: true,
        define: { __DEV__: 'false', __PEERS__: '"oldest"' },
        resolve: { alias: { ...alias, ...Object.fromEntries(peers.map(oldest)) } },
        test: { ...shared, name: 'oldest', include: ['test/{native,peers,updates,flags}.test.ts', 'test/react.test.tsx'] },
      },
    ],
  },
});
