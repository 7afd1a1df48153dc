/** The native modules that tests provide. */
export const nativeModules: Record<string, unknown> = {};

export function requireNativeModule(name: string): unknown {
  return nativeModules[name];
}

export class CodedError extends Error {}
export const NativeModule = Object;
