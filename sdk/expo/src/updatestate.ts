/** The status of checking for, downloading and applying updates. */
export type UpdateStatus =
  /** No check has run yet. */
  | 'idle'
  /** The package or expo-updates checks for an update. */
  | 'checking'
  /** The device has the newest update that it may get. */
  | 'up_to_date'
  /** The package or expo-updates downloads an update. */
  | 'downloading'
  /** The update is downloaded and runs at the next start. */
  | 'ready'
  /** The app restarts with the downloaded update. */
  | 'restarting'
  /** The app is too old for updates. A newer app is in the store. */
  | 'store_update_required'
  /** The last check, download or restart failed, and no downloaded update waits for the next start. */
  | 'failed'
  /** Updates are off, for example in development. */
  | 'disabled';

/** A downloaded update. */
export interface UpdateInfo {
  /** The update ID, in lower case. */
  updateUuid: string;
  /** True if the app restarts with the update immediately. */
  isCritical: boolean;
  /** The release notes. */
  releaseMessage: string | undefined;
}

/** The current state of updates. Every change creates a new object. */
export interface UpdatesState {
  /** The current status, which summarizes the other fields. */
  status: UpdateStatus;
  /** True while the package or expo-updates asks the server for an update. */
  isChecking: boolean;
  /** True while an update is downloaded. */
  isDownloading: boolean;
  /** True if an update, or a return to the embedded update, is downloaded. It stays true when a later check fails. */
  isUpdatePending: boolean;
  /** The downloaded update. */
  update: UpdateInfo | undefined;
  /** True if the app has rolled back to the embedded update, or will at the next start. */
  isRollBackToEmbedded: boolean;
  /** The minimum runtime version of the app in the store, with the status `store_update_required`. */
  minRuntimeVersion: string | undefined;
  /** The error of the last check, download or restart, until a check succeeds. A downloaded update stays `ready` in spite of it. */
  error: string | undefined;
}

/** The content of a download that runs at the next start: an update, or undefined for the return to the embedded update. */
export interface Pending {
  update: UpdateInfo | undefined;
}

/** The facts that the state is made of. */
export interface Facts {
  isEnabled: boolean;
  isChecking: boolean;
  isDownloading: boolean;
  isRestarting: boolean;
  /** True if a check has succeeded. */
  isAnswered: boolean;
  pending: Pending | undefined;
  minRuntimeVersion: string | undefined;
  error: string | undefined;
}

/** The part of expo-updates' own state that this package uses. expo-updates checks for updates when the app starts, too. */
export interface NativeState {
  isStartupProcedureRunning: boolean;
  isChecking: boolean;
  isDownloading: boolean;
  isUpdatePending: boolean;
  downloadedManifest?: object | null | undefined;
  rollback?: object | null | undefined;
  checkError?: { message: string } | null | undefined;
  downloadError?: { message: string } | null | undefined;
  lastCheckForUpdateTime?: unknown;
}

/** Adds the facts about a check or a download that expo-updates has begun. Its procedure at the start may download an update after its check. */
export function withNative(facts: Facts, native: NativeState): Facts {
  const isDownloading = facts.isDownloading || native.isDownloading;
  const isStarting = native.isStartupProcedureRunning && !isDownloading && !facts.pending;
  return { ...facts, isDownloading, isChecking: facts.isChecking || native.isChecking || isStarting };
}

/** Returns the state that the facts add up to. */
export function stateOf(facts: Facts): UpdatesState {
  const { isChecking, isDownloading, pending, minRuntimeVersion, error } = facts;
  return {
    status: statusOf(facts),
    isChecking, isDownloading,
    isUpdatePending: pending !== undefined,
    update: pending?.update,
    isRollBackToEmbedded: pending !== undefined && pending.update === undefined,
    minRuntimeVersion, error,
  };
}

function statusOf(facts: Facts): UpdateStatus {
  const statuses: [UpdateStatus, boolean][] = [
    ['disabled', !facts.isEnabled],
    ['restarting', facts.isRestarting],
    ['downloading', facts.isDownloading],
    ['checking', facts.isChecking],
    ['store_update_required', facts.minRuntimeVersion !== undefined],
    ['ready', facts.pending !== undefined],
    ['failed', facts.error !== undefined],
    ['up_to_date', facts.isAnswered],
  ];
  return statuses.find(([, holds]) => holds)?.[0] ?? 'idle';
}

/** Returns the name of a pending update for comparisons. */
export function nameOf(pending: Pending): string {
  return pending.update?.updateUuid ?? 'embedded';
}

/**
 * Returns what expo-updates has downloaded, if it does not run already: on iOS, expo-updates calls an update pending that it has
 * downloaded in time for this start. A return to the embedded update has the manifest of the embedded update, which does not have a
 * `createdAt`.
 */
export function pendingIn(native: NativeState, running: string | null): Pending | undefined {
  if (!native.isUpdatePending) {
    return undefined;
  }
  const manifest = native.downloadedManifest ?? {};
  const update = native.rollback || !('createdAt' in manifest) ? undefined : updateOf(manifest);
  return (update ? update.updateUuid : null) === running ? undefined : { update };
}

interface WaftManifest {
  id?: string;
  metadata?: { isCritical?: unknown };
  extra?: { waft?: { isCritical?: unknown; releaseMessage?: string } };
}

/** Returns the data of a manifest that this package uses. */
export function updateOf(manifest: unknown): UpdateInfo {
  const { id, metadata, extra } = (manifest ?? {}) as WaftManifest;
  return {
    updateUuid: (id ?? '').toLowerCase(),
    isCritical: metadata?.isCritical === true || extra?.waft?.isCritical === true,
    releaseMessage: extra?.waft?.releaseMessage,
  };
}
