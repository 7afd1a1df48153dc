import type { Definitions } from './definitions.js';
import { FlagSet } from './flagset.js';
import type { Settings } from './options.js';
import { type RequestError, backoff, request, spread } from './request.js';
import { follow } from './stream.js';

/** What a feed tells. */
export interface FeedListener {
  /** The definitions were read; before are those that were known. */
  onFlags(flags: FlagSet, before: FlagSet | undefined): void;
  /** The server answers again after a failure. */
  onRecovery(): void;
  /** The server could not be asked, for the first time since it answered. */
  onFailure(message: string): void;
}

/** Keeps the definitions of a channel: it asks for them at an interval, and when the stream says that they changed. */
export class Feed {
  /** The definitions; none before the first answer. */
  flags: FlagSet | undefined;
  /** Requests of this feed in a row that failed. */
  failures = 0;

  private readonly stopped = new AbortController();
  private etag: string | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The request that is under way. */
  private reading: Promise<void> | undefined;
  /** Whether to ask again after it. */
  private again = false;

  constructor(private readonly settings: Settings, private readonly listener: FeedListener) {}

  /** Begins to ask. It resolves after the first answer, or failure. */
  async start(): Promise<void> {
    await this.refresh();
    if (this.settings.stream) {
      void follow(this.settings, this.stopped.signal, (version) => {
        if (version !== this.flags?.version) void this.refresh();
      });
    }
  }

  /** Ends all that the feed does. */
  stop(): void {
    this.stopped.abort();
    clearTimeout(this.timer);
  }

  /** Asks for the definitions. It never rejects. A question that comes while one is under way is asked after it. */
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

  /** Reads the definitions once, and returns how long to wait before the next time, in milliseconds. */
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
