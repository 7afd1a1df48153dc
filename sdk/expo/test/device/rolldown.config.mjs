// Builds test/device/device.ts for `node build/device.mjs`, with doubles for the modules that only exist on a phone.
import { fileURLToPath } from 'node:url';

const double = (name) => fileURLToPath(new URL(`../doubles/${name}.ts`, import.meta.url));
const doubles = ['react-native', 'expo-constants', 'expo-modules-core'];

export default {
  input: 'test/device/device.ts',
  platform: 'node',
  external: [/^react(\/|$)/, /^@openfeature\//],
  resolve: {
    alias: {
      ...Object.fromEntries(doubles.map((name) => [name, double(name)])),
      'expo$': double('expo'),
      'expo/fetch': double('expo-fetch'),
      '@react-native-async-storage/async-storage': double('async-storage'),
    },
  },
  transform: { define: { __DEV__: 'false' } },
  output: { file: 'build/device.mjs', format: 'esm', codeSplitting: false },
};
