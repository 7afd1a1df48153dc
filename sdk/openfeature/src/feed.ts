import type { Definitions } from './definitions.js';
import { FlagSet } from './flagset.js';
import type { Settings } from './options.js';
import { type RequestError, backoff, request, spread } from './request.js';
import { follow } from './stream.js';

/** Callbacks of a feed. */
export interface FeedListener {
  /** Called after the definitions were read. before has the previous definitions. */
  onFlags(flags: FlagSet, before: FlagSet | undefined): void;
  /** Called when the server responds again after a failure. */
  onRecovery(): void;
  /** Called when a request fails for the first time since the last response. */
  onFailure(message: string): void;
}

/** Keeps the definitions of a channel up to date: reads them at an interval, and when the event stream announces a change. */
export class Feed {
  /** The definitions. Undefined before the first response. */
  flags: FlagSet | undefined;
  /** The number of consecutive failed requests of this feed. */
  failures = 0;

  private readonly stopped = new AbortController();
  private etag: string | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The request that is running. */
  private reading: Promise<void> | undefined;
  /** True if another request must follow the running request. */
  private again = false;

  constructor(private readonly settings: Settings, private readonly listener: FeedListener) {}

  /** Starts the feed. Resolves after the first response or failure. */
  async start(): Promise<void> {
    await this.refresh();
    if (this.settings.stream) {
      void follow(this.settings, this.stopped.signal, (version) => {
        if (version !== this.flags?.version) void this.refresh();
      });
    }
  }

  /** Stops the feed. */
  stop(): void {
    this.stopped.abort();
    clearTimeout(this.timer);
  }

  /** Reads the definitions. Never rejects. A call during a running request causes another request after it. */
  private refresh(): Promise<void> {
    if (this.reading) {
      this.again = true;
      return this.reading;
    }
    clearTimeout(this.timer);
    this.reading = this.read().then((waitMs) => {
      this.reading = undefined;
      if (this.stopped.signal.aborted) return;
      const asked = this.again && this.failures === 0;
      this.again = false;
      if (asked) void this.refresh();
      else this.timer = setTimeout(() => void this.refresh(), waitMs);
    });
    return this.reading;
  }

  /** Reads the definitions once, and returns how many milliseconds to wait before the next request. */
  private async read(): Promise<number> {
    const { url, project, channel, pollIntervalMs } = this.settings;
    const address = `${url}/v1/ota/flag-definitions/${encodeURIComponent(project)}?channel=${encodeURIComponent(channel)}`;
    const init: RequestInit = { signal: this.stopped.signal };
    if (this.etag) init.headers = { 'If-None-Match': this.etag };
    try {
      const read = await request(address, init, async (answer) => {
        if (answer.status === 304) return undefined;
        return { flags: new FlagSet((await answer.json()) as Definitions), etag: answer.headers.get('ETag') ?? undefined };
      });
      if (this.stopped.signal.aborted) return 0;
      const before = this.flags;
      if (read) ({ flags: this.flags, etag: this.etag } = read);
      if (this.failures > 0) {
        this.failures = 0;
        this.listener.onRecovery();
      }
      if (read) this.listener.onFlags(read.flags, before);
      return pollIntervalMs * spread();
    } catch (error) {
      if (this.stopped.signal.aborted) return 0;
      const { message, waitMs } = error as RequestError;
      this.failures++;
      if (this.failures === 1) this.listener.onFailure(message);
      return backoff(this.failures, pollIntervalMs, waitMs);
    }
  }
}
