// The names that blocks of pages use without declaring them, because they are the reader's own or an earlier block declares them.
declare const waft: import('@waft/expo').Waft;
/** The reader's user, or undefined while no user is signed in. */
declare const user: { id: string } | undefined;
declare const isPaying: boolean;
declare function pay(): void;

declare const Basket: () => null;
declare const Checkout: () => null;
declare const Home: () => null;
declare const NewCheckout: () => null;

// Packages that are not installed here.
declare module '@openfeature/ofrep-web-provider' {
  export class OFREPWebProvider {
    constructor(options: { baseUrl: string; headers?: [string, string][]; pollInterval?: number });
    metadata: { name: string };
    runsOn: 'client';
    hooks?: never[];
    resolveBooleanEvaluation: import('@openfeature/web-sdk').Provider['resolveBooleanEvaluation'];
    resolveStringEvaluation: import('@openfeature/web-sdk').Provider['resolveStringEvaluation'];
    resolveNumberEvaluation: import('@openfeature/web-sdk').Provider['resolveNumberEvaluation'];
    resolveObjectEvaluation: import('@openfeature/web-sdk').Provider['resolveObjectEvaluation'];
  }
}
declare module '@sentry/react-native';
declare module 'react-native';
declare module 'react-native-mmkv';
