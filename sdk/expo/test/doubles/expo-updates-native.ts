import { createHash, randomUUID } from 'node:crypto';
import type { Fetch } from '../../src/http';

interface Manifest {
  id: string;
  createdAt: string;
  runtimeVersion: string;
  launchAsset: Asset;
  assets: Asset[];
  metadata: Record<string, unknown>;
}

interface Asset {
  key: string;
  hash: string;
  url: string;
}

/** An update on the device. The embedded update has no metadata, so it passes every filter. */
interface Stored {
  id: string;
  commitTime: number;
  metadata: Record<string, unknown>;
  manifest: Manifest | undefined;
}

interface Answer {
  manifest?: Manifest;
  directive?: { type: string; parameters?: { commitTime: string } };
  filters: Record<string, string> | undefined;
}

/** The state that the native code keeps, and sends JavaScript with each change. */
interface Context {
  isStartupProcedureRunning: boolean;
  isUpdateAvailable: boolean;
  isUpdatePending: boolean;
  isChecking: boolean;
  isDownloading: boolean;
  isRestarting: boolean;
  restartCount: number;
  sequenceNumber: number;
  downloadProgress: number;
  downloadedManifest?: unknown;
  rollback?: unknown;
  checkError?: { message: string } | undefined;
  downloadError?: { message: string } | undefined;
  lastCheckForUpdateTimeString?: string;
}

/** The address and settings for the device's requests. */
export interface NativeSettings {
  url: string;
  channel: string;
  runtimeVersion: string;
  platform: 'ios' | 'android';
  clientId: string;
  fetch: Fetch;
  /** True if JavaScript learns of the end of a check or a download before it gets the result, instead of after. */
  isEventFirst?: () => boolean;
  /** Called when the app must restart. */
  reload?: () => void;
}

/** The stored data of a device. The first update is the embedded update. */
interface State {
  files: string[];
  updates: [Stored, ...Stored[]];
  failed: string[];
  filters: Record<string, string>;
}

function newState(): State {
  const embedded = { id: randomUUID(), commitTime: Date.parse('2020-01-01T00:00:00Z'), metadata: {}, manifest: undefined };
  return { files: [], updates: [embedded], failed: [], filters: {} };
}

/**
 * A double of the native module of expo-updates. Like the native code, it speaks the Expo Updates protocol with a server, stores
 * updates, verifies their files, and chooses an update by commit time and filters. It does not run JavaScript.
 */
export class NativeUpdates {
  readonly #settings: NativeSettings;
  readonly #files: Set<string>;
  readonly #embedded: Stored;
  readonly #updates: Stored[];
  readonly #failed: string[];
  #filters: Record<string, string>;
  #running: Stored;
  #context: Context = {
    isStartupProcedureRunning: false, isUpdateAvailable: false, isUpdatePending: false, isChecking: false, isDownloading: false,
    isRestarting: false, restartCount: 0, sequenceNumber: 0, downloadProgress: 0,
  };
  readonly #listeners = new Set<(event: { context: Context }) => void>();

  /** Creates and starts a device from the data of stored(), or a new device. */
  constructor(settings: NativeSettings, stored?: string) {
    this.#settings = settings;
    const state = stored === undefined ? newState() : (JSON.parse(stored) as State);
    this.#files = new Set(state.files);
    this.#updates = state.updates;
    this.#embedded = state.updates[0];
    this.#failed = state.failed;
    this.#filters = state.filters;
    this.#running = this.#embedded;
    this.start();
  }

  /** Returns the data that the device keeps while the app does not run. */
  stored(): string {
    const state: State = { files: [...this.#files], updates: this.#updates as State['updates'], failed: this.#failed, filters: this.#filters };
    return JSON.stringify(state);
  }

  /** Performs a cold start: runs the stored update with the latest commit time that passes the filters. */
  start(): void {
    const able = this.#updates.filter((u) => this.#passes(u) && !this.#failed.includes(u.id));
    this.#running = able.reduce((latest, u) => (u.commitTime > latest.commitTime ? u : latest));
  }

  /** Makes the running update fail before its first screen, and starts the previous update. */
  fail(): void {
    this.#failed.unshift(this.#running.id);
    this.start();
  }

  /** Returns the native module for requireNativeModule after a start. */
  module(): Record<string, unknown> {
    const { channel, runtimeVersion } = this.#settings;
    const isEmbeddedLaunch = this.#running === this.#embedded;
    return {
      isEnabled: true, isEmbeddedLaunch, isEmergencyLaunch: false, emergencyLaunchReason: null, channel, runtimeVersion,
      checkAutomatically: 'ALWAYS', updateId: this.#running.id, commitTime: new Date(this.#running.commitTime).toISOString(),
      manifest: this.#running.manifest,
      initialContext: this.#context,
      addListener: (_type: string, listener: (event: { context: Context }) => void) => {
        this.#listeners.add(listener);
        return { remove: () => this.#listeners.delete(listener) };
      },
      checkForUpdateAsync: () => this.#checked(),
      fetchUpdateAsync: () => this.#fetched(),
      readLogEntriesAsync: () => Promise.resolve([]),
      reload: () => {
        this.start();
        this.#settings.reload?.();
        return Promise.resolve();
      },
    };
  }

  /** Checks for an update and downloads it, as the native code does on load if `checkAutomatically` is ALWAYS. */
  async startup(): Promise<void> {
    this.#tell({ isStartupProcedureRunning: true });
    try {
      const found = await this.#checked();
      if (found.isAvailable || found.isRollBackToEmbedded) {
        await this.#fetched(true);
      }
    } catch {
      // The context has the error.
    }
    await pause();
    this.#tell({ isStartupProcedureRunning: false });
  }

  /** Sends JavaScript a change of the state. */
  #tell(change: Partial<Context>): void {
    this.#context = { ...this.#context, ...change, sequenceNumber: this.#context.sequenceNumber + 1 };
    for (const listener of [...this.#listeners]) {
      listener({ context: this.#context });
    }
  }

  /** Sends JavaScript the change that ends a check or a download. */
  #end(change: Partial<Context>): void {
    if (this.#settings.isEventFirst?.()) {
      this.#tell(change);
    } else {
      void pause().then(() => {
        this.#tell(change);
      });
    }
  }

  /** Checks, and tells of it. */
  async #checked(): Promise<Record<string, unknown>> {
    this.#tell({ isChecking: true });
    const end = (change: Partial<Context>): void => {
      this.#end({ isChecking: false, lastCheckForUpdateTimeString: new Date().toISOString(), ...change });
    };
    try {
      const found = await this.#check();
      end({
        checkError: undefined,
        isUpdateAvailable: found.isAvailable === true || found.isRollBackToEmbedded === true,
        rollback: found.isRollBackToEmbedded ? { commitTime: new Date().toISOString() } : undefined,
      });
      return found;
    } catch (error) {
      end({ checkError: { message: (error as Error).message } });
      throw error;
    }
  }

  /** Downloads, and tells of it. On load, a return to the embedded update looks like a download of that update. */
  async #fetched(isOnLoad = false): Promise<Record<string, unknown>> {
    await pause();
    this.#tell({ isDownloading: true });
    const end = (change: Partial<Context>): void => {
      this.#end({ isDownloading: false, ...change });
    };
    try {
      const { isNew, isRollBackToEmbedded, manifest } = await this.#fetch();
      const pending = { downloadError: undefined, isUpdatePending: true };
      if (isNew) {
        end({ ...pending, downloadedManifest: manifest, rollback: undefined });
      } else if (isRollBackToEmbedded) {
        const { id, commitTime } = this.#embedded;
        end({ ...pending, ...(isOnLoad ? { downloadedManifest: { id, commitTime, assets: [] }, rollback: undefined } : {}) });
      } else {
        end({ downloadError: undefined, isUpdatePending: false });
      }
      return { isNew, isRollBackToEmbedded, manifest };
    } catch (error) {
      end({ downloadError: { message: (error as Error).message } });
      throw error;
    }
  }

  async #check(): Promise<Record<string, unknown>> {
    const { manifest, directive, filters } = await this.#ask();
    if (directive?.type === 'rollBackToEmbedded' && this.#takesRollback(directive)) {
      return { isAvailable: false, isRollBackToEmbedded: true };
    }
    if (manifest && this.#failed.includes(manifest.id)) {
      return { isAvailable: false, isRollBackToEmbedded: false, reason: 'updatePreviouslyFailed' };
    }
    if (manifest && this.#takes(manifest, filters)) {
      return { isAvailable: true, isRollBackToEmbedded: false, manifest };
    }
    return { isAvailable: false, isRollBackToEmbedded: false, reason: 'noUpdateAvailableOnServer' };
  }

  async #fetch(): Promise<Record<string, unknown>> {
    const { manifest, directive, filters } = await this.#ask();
    if (manifest && this.#takes(manifest, filters)) {
      await Promise.all([manifest.launchAsset, ...manifest.assets].map((asset) => this.#download(asset, manifest)));
      this.#updates.push({ id: manifest.id, commitTime: Date.parse(manifest.createdAt), metadata: manifest.metadata, manifest });
      this.#filters = filters ?? this.#filters;
      return { isNew: true, isRollBackToEmbedded: false, manifest };
    }
    this.#filters = filters ?? this.#filters;
    if (directive?.type === 'rollBackToEmbedded' && this.#takesRollback(directive)) {
      this.#embedded.commitTime = Date.parse(directive.parameters?.commitTime ?? '');
      return { isNew: false, isRollBackToEmbedded: true };
    }
    return { isNew: false, isRollBackToEmbedded: false };
  }

  #takes(manifest: Manifest, filters = this.#filters): boolean {
    const isNewer = Date.parse(manifest.createdAt) > this.#running.commitTime;
    return isNewer || !this.#passes(this.#running, filters);
  }

  #takesRollback(directive: NonNullable<Answer['directive']>): boolean {
    const commitTime = Date.parse(directive.parameters?.commitTime ?? '');
    return !this.#passes(this.#running) || commitTime > this.#running.commitTime;
  }

  #passes(update: Stored, filters = this.#filters): boolean {
    const own = Object.fromEntries(Object.entries(update.metadata).map(([key, value]) => [key.toLowerCase(), value]));
    return Object.entries(filters).every(([key, value]) => own[key] === undefined || own[key] === value);
  }

  #headers(): Record<string, string> {
    const { channel, runtimeVersion, platform, clientId } = this.#settings;
    const headers: Record<string, string> = {
      'expo-platform': platform, 'expo-protocol-version': '1', 'expo-runtime-version': runtimeVersion, 'expo-api-version': '1',
      'eas-client-id': clientId, 'expo-current-update-id': this.#running.id, 'expo-embedded-update-id': this.#embedded.id,
      'expo-channel-name': channel,
    };
    if (this.#failed.length > 0) {
      headers['expo-recent-failed-update-ids'] = this.#failed.slice(0, 5).map((id) => `"${id}"`).join(', ');
    }
    return headers;
  }

  async #ask(): Promise<Answer> {
    const answer = await this.#settings.fetch(this.#settings.url, {
      headers: { ...this.#headers(), accept: 'multipart/mixed,application/expo+json,application/json', 'expo-json-error': 'true' },
    });
    if (!answer.ok) {
      throw new Error(`the server answered ${answer.status}: ${await answer.text()}`);
    }
    const version = answer.headers.get('expo-protocol-version');
    if (version !== '1') {
      throw new Error(`the server speaks protocol ${version ?? 'unknown'}`);
    }
    const header = answer.headers.get('expo-manifest-filters');
    const filters = header === null ? undefined : dictionary(header);
    return { ...parts(answer.headers.get('content-type') ?? '', await answer.text()), filters };
  }

  async #download(asset: Asset, manifest: Manifest): Promise<void> {
    if (this.#files.has(asset.key)) {
      return;
    }
    const answer = await this.#settings.fetch(asset.url, {
      headers: { ...this.#headers(), accept: '*/*', 'expo-requested-update-id': manifest.id },
    });
    const hash = createHash('sha256').update(new Uint8Array(await answer.arrayBuffer())).digest('base64url');
    if (!answer.ok || hash !== asset.hash) {
      throw new Error(`the file ${asset.key} could not be downloaded`);
    }
    this.#files.add(asset.key);
  }
}

/** Waits, so that events and results reach JavaScript one after another. */
async function pause(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 0));
}

/** Returns the parts of a multipart response. */
function parts(contentType: string, body: string): Omit<Answer, 'filters'> {
  const boundary = /boundary="?([^";]+)/.exec(contentType)?.[1];
  if (boundary === undefined) {
    return {};
  }
  const found: Record<string, unknown> = {};
  for (const part of body.split(`--${boundary}`).slice(1, -1)) {
    const end = part.indexOf('\r\n\r\n');
    const name = /name="(\w+)"/.exec(part.slice(0, end))?.[1];
    if (name === 'manifest' || name === 'directive') {
      found[name] = JSON.parse(part.slice(end + 4));
    }
  }
  return found;
}

/** Parses a structured dictionary of strings. */
function dictionary(header: string): Record<string, string> {
  return Object.fromEntries([...header.matchAll(/([a-z*][a-z0-9_.*-]*)="((?:[^"\\]|\\.)*)"/g)].map((found) => [found[1] ?? '', found[2] ?? '']));
}
