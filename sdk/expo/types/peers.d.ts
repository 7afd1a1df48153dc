// The parts that this package uses of peers that are too large to install here. The example app checks them against the real peers.
declare module 'react-native' {
  export const Platform: { OS: string };
  export const AppState: {
    readonly currentState: string | null;
    addEventListener(type: 'change', listener: (state: string) => void): { remove(): void };
  };
}

declare module 'expo/fetch' {
  export const fetch: (url: string, init?: Omit<RequestInit, 'body'> & { body?: BodyInit }) => Promise<unknown>;
}

declare module 'expo-constants' {
  const Constants: {
    expoConfig: {
      version?: string;
      runtimeVersion?: unknown;
      updates?: { url?: string; requestHeaders?: Record<string, unknown> };
    } | null;
  };
  export default Constants;
}

declare module 'expo' {
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- as in the real types
  export function requireOptionalNativeModule<T>(name: string): T | null;
}

declare module '@react-native-async-storage/async-storage' {
  const AsyncStorage: {
    getItem(key: string): Promise<string | null>;
    setItem(key: string, value: string): Promise<void>;
    removeItem(key: string): Promise<void>;
  };
  export default AsyncStorage;
}
