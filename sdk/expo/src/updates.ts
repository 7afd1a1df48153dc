import type { Foreground } from './foreground';
import type { Session } from './session';

/** The status of checking for, downloading and applying updates. */
export type UpdateStatus =
  /** No check has run yet. */
  | 'idle'
  | 'checking'
  /** There is no newer update for this device. */
  | 'up_to_date'
  | 'downloading'
  /** The update is downloaded and runs at the next start. */
  | 'ready'
  | 'restarting'
  /** The app is too old for updates. A newer app is in the store. */
  | 'store_update_required'
  /** The check or the download failed. */
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
  /** The current status. */
  status: UpdateStatus;
  /** The downloaded update. */
  update: UpdateInfo | undefined;
  /** True if the app has rolled back to the embedded update, or will at the next start. */
  isRollBackToEmbedded: boolean;
  /** The minimum runtime version of the app in the store, with the status `store_update_required`. */
  minRuntimeVersion: string | undefined;
  /** The error, with the status `failed`. */
  error: string | undefined;
}

/** Checks for updates. The functions never throw. */
export interface Updates {
  /** The current state. */
  readonly state: UpdatesState;
  /** Calls the listener after every change of the state, until the returned function is called. */
  subscribe(listener: () => void): () => void;
  /** Checks for an update now and downloads it. Resolves with the state afterwards. */
  check(): Promise<UpdatesState>;
  /** Restarts the app with the downloaded update. */
  restart(): Promise<void>;
}

/** The functions of expo-updates that this package uses. */
export interface UpdatesModule {
  checkForUpdateAsync(): Promise<{ isAvailable: boolean; isRollBackToEmbedded: boolean; reason?: string | undefined }>;
  fetchUpdateAsync(): Promise<{ isNew: boolean; isRollBackToEmbedded: boolean; manifest?: unknown }>;
  reloadAsync(): Promise<void>;
}

/** The dependencies of DeviceUpdates. */
export interface UpdatesParts {
  enabled: boolean;
  module: UpdatesModule;
  session: Session;
  foreground: Foreground;
  onRestart: (() => boolean | Promise<boolean>) | undefined;
  /** Reports an error that one of the app's own functions threw. */
  report(error: unknown): void;
  /** Called before the app is restarted. */
  settle(): Promise<void>;
  /** Returns the server's minimum runtime version, if it is higher than the app's. */
  storeUpdate(): Promise<string | undefined>;
}

/** Minimum time between two automatic checks. */
const checkEveryMs = 60_000;
const embedded = 'embedded';

/** Checks for updates at the start and when the app returns to the foreground. */
export class DeviceUpdates implements Updates {
  readonly #parts: UpdatesParts;
  readonly #listeners = new Set<() => void>();
  #state: UpdatesState;
  #checking: Promise<UpdatesState> | undefined;
  #checkedAt = -Infinity;
  #restartedFor: string | undefined;
  #unsubscribe: (() => void) | undefined;

  constructor(parts: UpdatesParts) {
    this.#parts = parts;
    this.#state = {
      status: parts.enabled ? 'idle' : 'disabled',
      update: undefined, isRollBackToEmbedded: false, minRuntimeVersion: undefined, error: undefined,
    };
  }

  get state(): UpdatesState {
    return this.#state;
  }

  start(): void {
    if (this.#unsubscribe || !this.#parts.enabled) {
      return;
    }
    const { foreground } = this.#parts;
    const look = (): void => {
      if (foreground.isActive && foreground.elapsed() - this.#checkedAt >= checkEveryMs) {
        void this.check();
      }
    };
    this.#unsubscribe = foreground.subscribe(look);
    look();
  }

  stop(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  check(): Promise<UpdatesState> {
    if (!this.#parts.enabled) {
      return Promise.resolve(this.#state);
    }
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  async restart(): Promise<void> {
    if (!this.#parts.enabled) {
      return;
    }
    const before = this.#state.status;
    this.#set({ status: 'restarting' });
    await this.#parts.settle();
    try {
      await this.#parts.module.reloadAsync();
    } catch (error) {
      await this.#parts.session.mark({ ended: false });
      this.#set({ status: before, error: messageOf(error) });
    }
  }

  async #check(): Promise<UpdatesState> {
    const { module, foreground, session } = this.#parts;
    this.#checkedAt = foreground.elapsed();
    const downloaded = this.#state.update !== undefined || this.#state.isRollBackToEmbedded;
    this.#set({ status: 'checking', error: undefined });
    try {
      const found = await module.checkForUpdateAsync();
      if (!found.isAvailable && !found.isRollBackToEmbedded) {
        const minRuntimeVersion = await this.#parts.storeUpdate();
        return this.#set({
          status: minRuntimeVersion !== undefined ? 'store_update_required' : downloaded ? 'ready' : 'up_to_date',
          minRuntimeVersion,
        });
      }
      this.#set({ status: 'downloading', minRuntimeVersion: undefined });
      const fetched = await module.fetchUpdateAsync();
      if (fetched.isRollBackToEmbedded) {
        this.#set({ status: 'ready', update: undefined, isRollBackToEmbedded: true });
        await this.#restartFor(embedded);
      } else if (fetched.isNew) {
        const update = updateOf(fetched.manifest);
        this.#set({ status: 'ready', update, isRollBackToEmbedded: false });
        await session.mark({ pendingUpdate: update.updateUuid });
        if (update.isCritical) {
          await this.#restartFor(update.updateUuid);
        }
      } else {
        this.#set({ status: downloaded ? 'ready' : 'up_to_date' });
      }
      return this.#state;
    } catch (error) {
      // The error is not reported, because being offline is not the app's fault.
      return this.#set({ status: 'failed', error: messageOf(error) });
    }
  }

  /** Restarts the app automatically, once per update. If the update does not run after that, it waits for the next start. */
  async #restartFor(update: string): Promise<void> {
    const { session } = this.#parts;
    const isAgain = [this.#restartedFor, (await session.previous)?.restartedFor].includes(update);
    if (!isAgain && !(await this.#mayRestart())) {
      return;
    }
    this.#restartedFor = update;
    await session.mark({ restartedFor: update }); // Even if it is not the first time, so that the next session knows it.
    if (!isAgain) {
      await this.restart();
    }
  }

  /** Asks the app's hook. If the hook throws, the restart is postponed, because the app may be in the middle of something. */
  async #mayRestart(): Promise<boolean> {
    try {
      return (await this.#parts.onRestart?.()) !== false;
    } catch (error) {
      this.#parts.report(error);
      return false;
    }
  }

  #set(change: Partial<UpdatesState>): UpdatesState {
    this.#state = { ...this.#state, ...change };
    for (const listener of [...this.#listeners]) {
      try {
        listener();
      } catch (error) {
        this.#parts.report(error); // The listener is the app's.
      }
    }
    return this.#state;
  }
}

interface WaftManifest {
  id?: string;
  metadata?: { isCritical?: unknown };
  extra?: { waft?: { isCritical?: unknown; releaseMessage?: string } };
}

function updateOf(manifest: unknown): UpdateInfo {
  const { id, metadata, extra } = (manifest ?? {}) as WaftManifest;
  return {
    updateUuid: (id ?? '').toLowerCase(),
    isCritical: metadata?.isCritical === true || extra?.waft?.isCritical === true,
    releaseMessage: extra?.waft?.releaseMessage,
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
