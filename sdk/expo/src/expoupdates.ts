import * as ExpoUpdates from 'expo-updates';
import type { UpdatesModule } from './updates';

/** The state of expo-updates, which it exports, but does not document. Without it, the package makes its own check. */
const hidden: Partial<Pick<typeof ExpoUpdates, 'latestContext' | 'addUpdatesStateChangeListener'>> = ExpoUpdates;
const idle = { isStartupProcedureRunning: false, isChecking: false, isDownloading: false, isUpdatePending: false };

/** The functions and the state of the app's expo-updates. */
export const expoUpdates: UpdatesModule = {
  native: () => hidden.latestContext ?? idle,
  observe: (listener) => {
    const subscription = hidden.addUpdatesStateChangeListener?.(({ context }) => {
      listener(context);
    });
    return () => {
      subscription?.remove();
    };
  },
  checkForUpdateAsync: () => ExpoUpdates.checkForUpdateAsync(),
  fetchUpdateAsync: () => ExpoUpdates.fetchUpdateAsync(),
  reloadAsync: () => ExpoUpdates.reloadAsync(),
};
