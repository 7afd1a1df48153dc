import { ProviderStatus, useOpenFeatureClientStatus } from '@openfeature/react-sdk';
import { useState, type ReactNode } from 'react';

/** Shows `loading` until the provider of flags has values or has failed to get them. After that, the children stay. */
export function FlagsFirst({ loading, children }: { loading: ReactNode; children: ReactNode }): ReactNode {
  const isKnown = useOpenFeatureClientStatus() !== ProviderStatus.NOT_READY;
  const [isShown, setShown] = useState(isKnown);
  if (isKnown && !isShown) {
    setShown(true);
  }
  return isShown ? children : loading;
}
