import type { Foreground } from './foreground';
import type { Session } from './session';

/** What an update is doing. */
export type UpdateStatus =
  /** Not looked yet. */
  | 'idle'
  | 'checking'
  /** Nothing newer is meant for this device. */
  | 'up_to_date'
  | 'downloading'
  /** It runs at the next start. */
  | 'ready'
  | 'restarting'
  /** The app is too old for updates; a newer one is in the store. */
  | 'store_update_required'
  /** The server could not be asked, or the download failed. */
  | 'failed'
  /** Updates are off, as in development. */
  | 'disabled';

/** A downloaded update. */
export interface UpdateInfo {
  /** The update's id, in lower case. */
  updateUuid: string;
  /** The app restarts with it at once. */
  isCritical: boolean;
  /** What the release says of itself. */
  releaseMessage: string | undefined;
}

/** What is known of updates. A new object at every change. */
export interface UpdatesState {
  /** What the update is doing. */
  status: UpdateStatus;
  /** The downloaded one. */
  update: UpdateInfo | undefined;
  /** The way back to the update inside the app was taken, or is at the next start. */
  isRollBackToEmbedded: boolean;
  /** What the store's app must at least have, with `store_update_required`. */
  minRuntimeVersion: string | undefined;
  /** Why the status is `failed`. */
  error: string | undefined;
}

/** Looks for updates. Nothing here throws. */
export interface Updates {
  /** What is known. */
  readonly state: UpdatesState;
  /** Calls the listener after every change of the state, until the answered function is called. */
  subscribe(listener: () => void): () => void;
  /** Looks for an update now and downloads it. Resolves with the state when that is done. */
  check(): Promise<UpdatesState>;
  /** Restarts the app with the downloaded update. */
  restart(): Promise<void>;
}

/** What of expo-updates is used. */
export interface UpdatesModule {
  checkForUpdateAsync(): Promise<{ isAvailable: boolean; isRollBackToEmbedded: boolean; reason?: string | undefined }>;
  fetchUpdateAsync(): Promise<{ isNew: boolean; isRollBackToEmbedded: boolean; manifest?: unknown }>;
  reloadAsync(): Promise<void>;
}

/** What DeviceUpdates works with. */
export interface UpdatesParts {
  enabled: boolean;
  module: UpdatesModule;
  session: Session;
  foreground: Foreground;
  onRestart: (() => boolean | Promise<boolean>) | undefined;
  /** Told of what the app's own functions throw. */
  report(error: unknown): void;
  /** Called before the app is restarted. */
  settle(): Promise<void>;
  /** The runtime version that the server wants at least, when that is more than the app's. */
  storeUpdate(): Promise<string | undefined>;
}

/** The shortest time between two checks that nobody asked for. */
const checkEveryMs = 60_000;
const embedded = 'embedded';

/** Looks for updates at the start and when the app returns to the foreground. */
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
      // Being offline is no fault of the app.
      return this.#set({ status: 'failed', error: messageOf(error) });
    }
  }

  /** Restarts without being asked, once for an update: one that does not start then is left to the next start. */
  async #restartFor(update: string): Promise<void> {
    const { session } = this.#parts;
    const isAgain = [this.#restartedFor, (await session.previous)?.restartedFor].includes(update);
    if (!isAgain && !(await this.#mayRestart())) {
      return;
    }
    this.#restartedFor = update;
    await session.mark({ restartedFor: update }); // Also when it is not the first time, for the session after this one.
    if (!isAgain) {
      await this.restart();
    }
  }

  /** A hook that fails puts the restart off: the app may be in the middle of something. */
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
        this.#parts.report(error); // It is the app's.
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
