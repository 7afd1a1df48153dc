import { bind } from './bind';
import type { Foreground } from './foreground';
import type { Session } from './session';
import {
  nameOf, pendingIn, stateOf, updateOf, withNative, type Facts, type NativeState, type Pending, type UpdatesState,
} from './updatestate';

/** Checks for updates. The functions never throw, and an app can pass them on without this object. */
export interface Updates {
  /** The current state. */
  readonly state: UpdatesState;
  /** Calls the listener after every change of the state, until the returned function is called. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Checks for an update now and downloads it. Resolves with the state afterwards. */
  readonly check: () => Promise<UpdatesState>;
  /** Restarts the app with the downloaded update. */
  readonly restart: () => Promise<void>;
}

/** The functions of expo-updates that this package uses. */
export interface UpdatesModule {
  /** Returns the current state of expo-updates. */
  native(): NativeState;
  /** Calls the listener with every change of that state, until the returned function is called. */
  observe(listener: (native: NativeState) => void): () => void;
  checkForUpdateAsync(): Promise<{ isAvailable: boolean; isRollBackToEmbedded: boolean; reason?: string | undefined }>;
  fetchUpdateAsync(): Promise<{ isNew: boolean; isRollBackToEmbedded: boolean; manifest?: unknown }>;
  reloadAsync(): Promise<void>;
}

/** The dependencies of DeviceUpdates. */
export interface UpdatesParts {
  enabled: boolean;
  module: UpdatesModule;
  /** The running update, or null for the embedded update. */
  running: string | null;
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

/** How long ago the last check must be for the package's own one, which happens when the app returns to the foreground. */
const recheckAfterMs = 30 * 60_000;
const retryAfterMs = 60_000;

/**
 * Follows the check that expo-updates makes when the app starts, and takes what it downloads. Once per launch it makes a check of its
 * own: at the start if expo-updates does not check then, otherwise when the app returns to the foreground later.
 */
export class DeviceUpdates implements Updates {
  readonly #parts: UpdatesParts;
  readonly #listeners = new Set<() => void>();
  #facts: Facts;
  #state: UpdatesState;
  #native: NativeState | undefined;
  /** True if expo-updates does something that this package has not asked for. */
  #isForeign = false;
  #checking: Promise<UpdatesState> | undefined;
  /** The time of the last check's end. */
  #checkedAt: number | undefined;
  #hasChecked = false;
  #hasAskedStore = false;
  #decision: { name: string; done: Promise<void> } | undefined;
  #restartedFor: string | undefined;
  #unsubscribe: (() => void) | undefined;

  constructor(parts: UpdatesParts) {
    this.#parts = parts;
    this.#facts = {
      isEnabled: parts.enabled, isChecking: false, isDownloading: false, isRestarting: false, isAnswered: false,
      pending: undefined, minRuntimeVersion: undefined, error: undefined,
    };
    this.#state = stateOf(this.#facts);
    bind<Omit<Updates, 'state'>>(this, ['subscribe', 'check', 'restart']);
  }

  get state(): UpdatesState {
    return this.#state;
  }

  start(): void {
    if (this.#unsubscribe || !this.#parts.enabled) {
      return;
    }
    const { foreground, module } = this.#parts;
    const ends = [module.observe(this.#observe.bind(this)), foreground.subscribe(this.#look.bind(this))];
    this.#unsubscribe = () => {
      ends.forEach((end) => {
        end();
      });
    };
    this.#observe(module.native());
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
    this.#set({ isRestarting: true });
    await this.#parts.settle();
    try {
      await this.#parts.module.reloadAsync();
    } catch (error) {
      await this.#parts.session.mark({ ended: false });
      this.#set({ isRestarting: false, error: messageOf(error) });
    }
  }

  /** Takes over the state of expo-updates: the first one, and each change. */
  #observe(native: NativeState): void {
    const before = this.#native;
    this.#native = native;
    if (isBusy(native) && !(before && isBusy(before))) {
      this.#isForeign = !this.#facts.isChecking && !this.#facts.isDownloading;
    }
    const change: Partial<Facts> = {};
    const hasChecked = native.lastCheckForUpdateTime && !native.isChecking && (before?.isChecking ?? true);
    const hasDownloaded = !native.isDownloading && (before?.isDownloading ?? true);
    if (hasChecked && this.#isNews(before)) {
      this.#checkedAt = this.#parts.foreground.elapsed();
      change.error = native.checkError?.message;
      change.isAnswered = this.#facts.isAnswered || change.error === undefined;
    }
    if (hasDownloaded && native.downloadError && this.#isNews(before)) {
      this.#checkedAt = this.#parts.foreground.elapsed();
      change.error = native.downloadError.message;
    }
    const pending = hasDownloaded ? pendingIn(native, this.#parts.running) : undefined;
    const isNew = pending && nameOf(pending) !== (this.#facts.pending && nameOf(this.#facts.pending));
    this.#set(isNew ? { ...change, pending } : change);
    if (isNew) {
      void this.#take(pending);
    }
    this.#look();
  }

  /** Reports whether a result of expo-updates is new, because it does not come from a check of this package. */
  #isNews(before: NativeState | undefined): boolean {
    return !before || this.#isForeign;
  }

  /** Makes the package's own check if it is due, and otherwise asks whether the store has a newer app, once. */
  #look(): void {
    const { foreground } = this.#parts;
    const native = this.#native;
    if (!foreground.isActive || this.#checking || !native || native.isStartupProcedureRunning || isBusy(native)) {
      return;
    }
    const pause = this.#facts.error === undefined ? recheckAfterMs : retryAfterMs;
    if (!this.#hasChecked && (this.#checkedAt === undefined || foreground.elapsed() - this.#checkedAt >= pause)) {
      this.#hasChecked = true;
      void this.check();
    } else if (!this.#hasAskedStore && this.#facts.isAnswered && !this.#facts.pending) {
      void this.#askStore().then((minRuntimeVersion) => this.#set({ minRuntimeVersion }));
    }
  }

  #askStore(): Promise<string | undefined> {
    this.#hasAskedStore = true;
    return this.#parts.storeUpdate();
  }

  async #check(): Promise<UpdatesState> {
    const { module, foreground } = this.#parts;
    this.#set({ isChecking: true, isRestarting: false });
    try {
      const found = await module.checkForUpdateAsync();
      if (!found.isAvailable && !found.isRollBackToEmbedded) {
        const minRuntimeVersion = await this.#askStore();
        return this.#set({ isChecking: false, isAnswered: true, minRuntimeVersion, error: undefined });
      }
      this.#set({ isChecking: false, isDownloading: true, isAnswered: true, minRuntimeVersion: undefined, error: undefined });
      const fetched = await module.fetchUpdateAsync();
      if (fetched.isRollBackToEmbedded) {
        await this.#take({ update: undefined });
      } else if (fetched.isNew) {
        await this.#take({ update: updateOf(fetched.manifest) });
      }
      return this.#set({ isDownloading: false });
    } catch (error) {
      // The error is not reported, because being offline is not the app's fault.
      return this.#set({ isChecking: false, isDownloading: false, error: messageOf(error) });
    } finally {
      this.#checkedAt = foreground.elapsed();
    }
  }

  /** Takes what was downloaded, and restarts the app if it must run immediately. */
  async #take(pending: Pending): Promise<void> {
    this.#set({ pending, isDownloading: false });
    const { update } = pending;
    if (update) {
      await this.#parts.session.mark({ pendingUpdate: update.updateUuid });
    }
    if (!update || update.isCritical) {
      await this.#restartFor(nameOf(pending));
    }
  }

  /** Decides about a restart. A check and expo-updates may both tell of the same download, so a second call waits for the first one. */
  #restartFor(name: string): Promise<void> {
    if (this.#decision?.name !== name) {
      const done = this.#decide(name).finally(() => {
        this.#decision = undefined;
      });
      this.#decision = { name, done };
    }
    return this.#decision.done;
  }

  /** Restarts the app automatically, once per update. If the update does not run after that, it waits for the next start. */
  async #decide(name: string): Promise<void> {
    const { session } = this.#parts;
    const isAgain = [this.#restartedFor, (await session.previous)?.restartedFor].includes(name);
    if (!isAgain && !(await this.#mayRestart())) {
      return;
    }
    this.#restartedFor = name;
    await session.mark({ restartedFor: name }); // Even if it is not the first time, so that the next session knows it.
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

  #set(change: Partial<Facts>): UpdatesState {
    this.#facts = { ...this.#facts, ...change };
    const state = stateOf(this.#isForeign && this.#native ? withNative(this.#facts, this.#native) : this.#facts);
    if (!isSame(state, this.#state)) {
      this.#state = state;
      for (const listener of [...this.#listeners]) {
        try {
          listener();
        } catch (error) {
          this.#parts.report(error); // The listener is the app's.
        }
      }
    }
    return this.#state;
  }
}

function isBusy(native: NativeState): boolean {
  return native.isChecking || native.isDownloading;
}

function isSame(a: UpdatesState, b: UpdatesState): boolean {
  return (Object.keys(a) as (keyof UpdatesState)[]).every((name) => a[name] === b[name]);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
