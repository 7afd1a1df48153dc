import { vi } from 'vitest';
import type { HealthEvent } from '../src/event';
import type { Origin } from '../src/queue';
import type { WaftOptions } from '../src/settings';
import { waftIn, type Waft, type WholePlatform } from '../src/waft';
import { memoryStorage, type MemoryStorage } from './memory';

/** A report as received by the server. */
export interface Report extends Origin {
  key: string;
  projectSlug: string;
  deviceId: string;
  platform: string;
  events: HealthEvent[];
}

/** How a server handles a request: a status, "lost" if it accepts the report but its response is lost, "away" if it does not get it. */
export type Behaviour = number | 'lost' | 'away' | { status: number; retryAfter?: string; body?: object };

/** An open stream of flags. */
export interface FlagStream {
  targetingKey: string | undefined;
  /** Sends all flags again. */
  put(): void;
  /** Ends the stream, as a proxy does. */
  end(): void;
}

/** A server in memory. Within 24 hours, it counts reports with the same key once. */
export class FakeServer {
  /** Behaviour for the next requests. All later requests are accepted. */
  readonly next: Behaviour[] = [];
  readonly reports: Report[] = [];
  readonly attempts: number[] = [];
  storeUpdate: string | undefined;
  flags: Record<string, { value: unknown; variant: string; reason: string }> = {};
  readonly bulks: unknown[] = [];
  /** The senders of the manifest requests. */
  readonly manifestRequests: ('expo-updates' | 'waft')[] = [];
  /** Returns the response to a manifest request if there is an update. */
  offer: (() => Response) | undefined;
  /** "off" as in flight mode, or "silent" if responses do not come. An open stream stays open, but it is silent. */
  network: 'on' | 'off' | 'silent' = 'on';
  /** The open streams of flags. */
  readonly streams = new Set<FlagStream>();
  readonly #keys = new Map<string, number>();

  /** Number of requests without a response. The requests of expo-updates do not count, because the package cannot abort them. */
  running = 0;

  readonly fetch = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const own = init.signal ? 1 : 0;
    this.running += own;
    try {
      return await this.#respond(url, init);
    } finally {
      this.running -= own;
    }
  };

  async #respond(url: string, init: RequestInit): Promise<Response> {
    await Promise.resolve();
    if (this.network !== 'on') {
      await this.#unreachable(init.signal);
    }
    const { pathname, searchParams } = new URL(url);
    if (pathname.startsWith('/v1/ota/manifest/')) {
      this.manifestRequests.push('expo-api-version' in (init.headers ?? {}) ? 'expo-updates' : 'waft');
      if (this.offer) {
        return this.offer();
      }
      const signal: Record<string, string> = this.storeUpdate ? { 'waft-store-update-required': this.storeUpdate } : {};
      return new Response(null, { status: 204, headers: { 'expo-protocol-version': '1', ...signal } });
    }
    const behaviour = this.next.shift() ?? 204;
    if (behaviour === 'away') {
      this.attempts.push(Date.now());
      throw new TypeError('Network request failed');
    }
    if (pathname.startsWith('/assets/')) {
      return new Response(pathname);
    }
    if (pathname.endsWith('/flag-evaluations-bulk') && typeof behaviour !== 'object') {
      const request = JSON.parse(init.body as string) as { targetingKey?: string };
      this.bulks.push(request);
      return Response.json({ flags: this.flagsOf(request.targetingKey) });
    }
    if (pathname.includes('/flag-stream/')) {
      return this.#stream(searchParams.get('targetingKey') ?? undefined, init.signal);
    }
    this.attempts.push(Date.now());
    const status = behaviour === 'lost' ? 204 : typeof behaviour === 'number' ? behaviour : behaviour.status;
    if (status === 204) {
      await this.#take(init);
    }
    if (behaviour === 'lost') {
      throw new TypeError('Network request failed');
    }
    const { retryAfter, body } = typeof behaviour === 'object' ? behaviour : {};
    return new Response(body ? JSON.stringify(body) : null, {
      status,
      headers: { ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }), ...(body ? { 'content-type': 'application/problem+json' } : {}) },
    });
  }

  /** Returns the server's time in milliseconds. A test in which only the device's clock changes replaces it. */
  clock = (): number => Date.now();

  /** Returns the flags of a user, or of the device alone. Tests replace it. */
  flagsOf: (targetingKey: string | undefined) => FakeServer['flags'] = () => this.flags;

  /** Fails, or never responds before signal is aborted. */
  async #unreachable(signal: AbortSignal | null | undefined): Promise<never> {
    if (this.network === 'silent') {
      await new Promise((resolve) => {
        signal?.addEventListener('abort', resolve);
      });
    }
    throw new TypeError('Network request failed');
  }

  /** Opens a stream, which sends all flags, and then a sign of life every 15 seconds. */
  #stream(targetingKey: string | undefined, signal: AbortSignal | null | undefined): Response {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        const send = (text: string): void => {
          if (this.network === 'on') {
            controller.enqueue(new TextEncoder().encode(text));
          }
        };
        const heartbeat = setInterval(() => {
          send(': still here\n\n');
        }, 15_000);
        const end = (close: () => void): void => {
          clearInterval(heartbeat);
          if (this.streams.delete(stream)) {
            close();
          }
        };
        const stream: FlagStream = {
          targetingKey,
          put: () => {
            send(`event: put\ndata: ${JSON.stringify({ flags: this.flagsOf(targetingKey) })}\n\n`);
          },
          end: () => {
            end(() => {
              controller.close();
            });
          },
        };
        this.streams.add(stream);
        signal?.addEventListener('abort', () => {
          end(() => {
            controller.error(new Error('aborted'));
          });
        });
        stream.put();
      },
    });
    return new Response(body);
  }

  async #take(init: RequestInit): Promise<void> {
    const headers = init.headers as Record<string, string>;
    const key = headers['idempotency-key'] ?? '';
    const at = this.#keys.get(key);
    if (at !== undefined && this.clock() - at < 24 * 3600 * 1000) {
      return;
    }
    this.#keys.set(key, this.clock());
    const packed = headers['content-encoding'] === 'gzip';
    const text = packed
      ? await new Response(new Blob([init.body as ArrayBuffer]).stream().pipeThrough(new DecompressionStream('gzip'))).text()
      : (init.body as string);
    this.reports.push({ key, ...(JSON.parse(text) as Omit<Report, 'key'>) });
  }

  /** Counts of each event by its type and, if it has one, its name or message. */
  counts(): Record<string, number> {
    const all: Record<string, number> = {};
    for (const event of this.reports.flatMap((r) => r.events)) {
      const name = [event.type, event.name ?? event.message].filter(Boolean).join(' ');
      all[name] = (all[name] ?? 0) + event.count;
    }
    return all;
  }
}

/** A process of the app, or a page that runs it. */
export interface Page {
  waft: Waft;
  /** Moves only this process to the foreground ("active") or the background. */
  become(state: string): void;
  /** Kills the process. */
  kill(): void;
}

/** The app on a device: the data that outlives its processes, and the settings that they are started with. */
export class FakeDevice {
  readonly storage: MemoryStorage = memoryStorage();
  readonly server = new FakeServer();
  readonly listeners = new Set<(state: string) => void>();
  running: string | null = null;
  state = 'active';
  launch: Partial<WholePlatform['launch']> = {};
  log: Awaited<ReturnType<WholePlatform['readLog']>> = [];
  updates: WholePlatform['updates'] = {
    native: () => ({ isStartupProcedureRunning: false, isChecking: false, isDownloading: false, isUpdatePending: false }),
    observe: () => () => undefined,
    checkForUpdateAsync: () => Promise.resolve({ isAvailable: false, isRollBackToEmbedded: false }),
    fetchUpdateAsync: () => Promise.resolve({ isNew: false, isRollBackToEmbedded: false }),
    reloadAsync: () => Promise.resolve(),
  };
  os = 'ios';
  /** True if pages can take locks. */
  hasLocks = true;
  readonly #locks = new Map<string, Page>();
  #page: Page | undefined;

  /** Moves the app to the foreground ("active") or the background. */
  become(state: string): void {
    this.state = state;
    for (const listener of [...this.listeners]) {
      listener(state);
    }
  }

  /** Starts a process of the app. Kills a running process, which then has no further effect. */
  begin(options: WaftOptions = {}): Waft {
    this.kill();
    this.#page = this.open(options);
    return this.#page.waft;
  }

  kill(): void {
    this.#page?.kill();
  }

  /** Starts another process of the app without killing the others, as in another tab of a browser. */
  open(options: WaftOptions = {}): Page {
    const { storage, server, listeners } = this;
    const own = new Set<(state: string) => void>();
    let alive = true;
    const deaf = new Promise<never>(() => undefined);
    const waft = waftIn(
      {
        os: this.os,
        settings: { updatesUrl: 'https://ota.test/v1/ota/manifest/demo', channel: 'production', runtimeVersion: '1.0.0' },
        deviceId: '2f1c9a80-6f0e-4a6d-9a57-0d6f1c6d1b11',
        isDevelopment: false,
        hasUpdates: this.os !== 'web',
        launch: { updateUuid: this.running, isEmergencyLaunch: false, emergencyLaunchReason: null, ...this.launch },
        storage: {
          getItem: (key) => (alive ? storage.getItem(key) : deaf),
          setItem: (key, value) => (alive ? storage.setItem(key, value) : deaf),
          removeItem: (key) => (alive ? storage.removeItem(key) : deaf),
        },
        locks: this.hasLocks
          ? {
              request: async (name, _options, callback) => {
                await Promise.resolve();
                const isFree = !this.#locks.has(name);
                if (isFree) {
                  this.#locks.set(name, page);
                }
                await callback(isFree ? {} : null);
              },
            }
          : undefined,
        appState: {
          currentState: this.state,
          addEventListener: (_type, listener) => {
            own.add(listener);
            listeners.add(listener);
            return {
              remove: () => {
                own.delete(listener);
                listeners.delete(listener);
              },
            };
          },
        },
        updates: this.updates,
        readLog: () => Promise.resolve(this.log),
        fetch: (url, init) => (alive ? server.fetch(url, init) : deaf),
        stream: () => deaf,
      },
      options,
    );
    const page: Page = {
      waft,
      become: (state) => {
        own.forEach((listener) => {
          listener(state);
        });
      },
      kill: () => {
        alive = false;
        own.forEach((listener) => listeners.delete(listener));
        for (const [name, holder] of this.#locks) {
          if (holder === page) {
            this.#locks.delete(name);
          }
        }
      },
    };
    waft.start();
    return page;
  }
}

/** Lets fake time pass. */
export async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
}

export const minute = 60_000;
export const day = 24 * 60 * minute;
