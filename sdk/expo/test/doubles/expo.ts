import { nativeModules } from './expo-modules-core';

export function requireOptionalNativeModule(name: string): unknown {
  return nativeModules[name] ?? null;
}
