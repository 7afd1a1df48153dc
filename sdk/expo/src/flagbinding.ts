import { NOOP_PROVIDER, OpenFeature, useOpenFeatureClient, type EvaluationContext } from '@openfeature/react-sdk';
import type { Provider } from '@openfeature/web-sdk';
import { useEffect, useMemo } from 'react';

declare const __DEV__: boolean | undefined;

/** The contexts that useFlagBinding has set. Every other context is the app's own. */
const given = /* @__PURE__ */ new WeakSet<EvaluationContext>();

/** The flags for which the console has named the other provider of the default domain. */
const told = /* @__PURE__ */ new WeakSet<Provider>();

/**
 * Makes flags the provider of a domain of OpenFeature, or of the default domain. Sets a context only if one is given, and clears it
 * when it is no longer given. Returns false if the default domain has another provider, which then stays.
 */
export function useFlagBinding(flags: Provider, domain: string | undefined, context: EvaluationContext | undefined): boolean {
  const text = context && textOf(context);
  // Bind before the children render, because their first render may already read a flag.
  const isBound = useMemo(() => bind(flags, domain, text), [flags, domain]);
  useEffect(() => {
    if (isBound) {
      setContext(domain, text);
    }
  }, [domain, text, isBound]);
  return isBound;
}

/** Reports whether the component is inside an OpenFeatureProvider. */
export function useIsInOpenFeature(): boolean {
  try {
    return Boolean(useOpenFeatureClient());
  } catch {
    return false;
  }
}

function bind(flags: Provider, domain: string | undefined, text: string | undefined): boolean {
  const current = OpenFeature.getProvider(domain);
  if (current === flags) {
    return true;
  }
  const { name } = current.metadata;
  // After a reload of the app's modules in development, there may be an older provider of this package.
  if (!domain && name !== NOOP_PROVIDER.metadata.name && name !== flags.metadata.name) {
    if (typeof __DEV__ !== 'undefined' && __DEV__ && !told.has(flags)) {
      told.add(flags);
      console.warn(
        `@waft/expo: the default domain of OpenFeature has the provider "${name}", which stays. ` +
          'To read the flags of Waft, give them a domain of their own: <WaftProvider waft={waft} domain="waft">',
      );
    }
    return false;
  }
  const isLeft = text === undefined && given.has(OpenFeature.getContext(domain));
  const context = text === undefined ? undefined : contextOf(text);
  let ready: Promise<void>;
  if (!domain) {
    ready = OpenFeature.setProviderAndWait(flags, context ?? (isLeft ? {} : OpenFeature.getContext()));
  } else if (context) {
    ready = OpenFeature.setProviderAndWait(domain, flags, context);
  } else {
    void (isLeft && OpenFeature.clearContext(domain));
    ready = OpenFeature.setProviderAndWait(domain, flags);
  }
  ready.catch(() => undefined); // The provider's status tells that the server does not respond.
  return true;
}

/** Sets the given context, or clears a context that is no longer given. */
function setContext(domain: string | undefined, text: string | undefined): void {
  const current = OpenFeature.getContext(domain);
  if (text === undefined) {
    void (given.has(current) && (domain ? OpenFeature.clearContext(domain) : OpenFeature.clearContext()));
  } else if (text !== textOf(current)) {
    void (domain ? OpenFeature.setContext(domain, contextOf(text)) : OpenFeature.setContext(contextOf(text)));
  }
}

function contextOf(text: string): EvaluationContext {
  const context = JSON.parse(text) as EvaluationContext;
  given.add(context);
  return context;
}

/** Returns the context as JSON. If JSON cannot represent it, such as a circular object, returns the context of the device alone. */
function textOf(context: EvaluationContext): string {
  try {
    return JSON.stringify(context);
  } catch {
    return '{}';
  }
}
