import * as Updates from 'expo-updates';
import { useCallback, useEffect, useState } from 'react';

/**
 * Looks for an update at start and on demand. An ordinary update waits for the next start of the app;
 * a critical one, and the way back to the embedded update, are taken at once.
 */
export function useWaftUpdates() {
  const [status, setStatus] = useState('Not checked yet');

  const check = useCallback(async () => {
    if (!Updates.isEnabled) {
      setStatus('Updates are off in development');
      return;
    }
    try {
      setStatus('Checking…');
      const found = await Updates.checkForUpdateAsync();
      if (!found.isAvailable && !found.isRollBackToEmbedded) {
        setStatus(`Up to date (${found.reason ?? 'no update'})`);
        return;
      }
      setStatus('Downloading…');
      const fetched = await Updates.fetchUpdateAsync();
      if (fetched.isRollBackToEmbedded || isCritical(found.manifest)) {
        await Updates.reloadAsync();
        return;
      }
      setStatus(fetched.isNew ? 'A new version starts with the next launch' : 'Up to date');
    } catch (error) {
      // Being offline is no fault of the release: shown, and nothing more.
      setStatus(`Could not check: ${error.message}`);
    }
  }, []);

  useEffect(() => {
    check();
  }, [check]);

  return { status, check };
}

/** Waft says it twice: in the metadata, and in its own part of `extra`. */
export function isCritical(manifest) {
  return manifest?.metadata?.isCritical === true || manifest?.extra?.waft?.isCritical === true;
}
