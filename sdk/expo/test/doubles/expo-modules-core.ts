/** The native modules that tests provide. */
export const nativeModules: Record<string, unknown> = { EASClient: { clientID: '2F1C9A80-6F0E-4A6D-9A57-0D6F1C6D1B11' } };

export function requireNativeModule(name: string): unknown {
  return nativeModules[name];
}

export class CodedError extends Error {}
export const NativeModule = Object;
