import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const double = (name: string): string => fileURLToPath(new URL(`test/doubles/${name}.ts`, import.meta.url));

// The peers that only exist on a device are doubles; expo-updates is the real one over a double of its native module.
export const alias = {
  'react-native': double('react-native'),
  'expo/fetch': double('expo-fetch'),
  'expo-constants': double('expo-constants'),
  'expo-eas-client': double('expo-eas-client'),
  'expo-modules-core': double('expo-modules-core'),
  '@react-native-async-storage/async-storage': double('async-storage'),
};

const shared = {
  environment: 'node',
  include: ['test/*.test.ts', 'test/*.test.tsx'],
  server: { deps: { inline: [/expo-updates/, /react-sdk/] } },
};

export default defineConfig({
  test: {
    projects: [
      { define: { __DEV__: 'false' }, resolve: { alias }, test: { ...shared, name: 'newest' } },
      {
        define: { __DEV__: 'false' },
        resolve: { alias: { ...alias, 'expo-updates': 'expo-updates-oldest' } },
        test: { ...shared, name: 'oldest', include: ['test/updates.test.ts', 'test/react.test.tsx'] },
      },
    ],
  },
});
