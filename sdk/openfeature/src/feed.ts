import type { Definitions } from './definitions.js';
import { FlagSet } from './flagset.js';
import type { Settings } from './options.js';
import { type RequestError, backoff, request, spread } from './request.js';
import { follow } from './stream.js';

/** Callbacks of a feed. */
export interface FeedListener {
  /** Called after the definitions were read. before has the previous definitions. */
  onFlags(flags: FlagSet, before: FlagSet | undefined): void;
  /** Called whenever the server has sent something that shows that the definitions are current. */
  onContact(): void;
  /** Called when a request fails. */
  onFailure(message: string): void;
  /** Called when the definitions were not known to be current for too long. */
  onSilence(): void;
}

/** How long the definitions count as current without contact to the server, in milliseconds. */
const staleAfter = 90_000;

/** The maximum time of a timer, in milliseconds. */
const longestTimer = 2 ** 31 - 1;

/** Returns the address of the definitions. */
export function definitionsUrl({ url, project, channel }: Settings): string {
  return `${url}/v1/ota/flag-definitions/${encodeURIComponent(project)}?channel=${encodeURIComponent(channel)}`;
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
  private silence: ReturnType<typeof setTimeout> | undefined;
  /** The request that is running. */
  private reading: Promise<void> | undefined;
  /** True if another request must follow the running request. */
  private again = false;

  constructor(private readonly settings: Settings, private readonly listener: FeedListener) {}

  /** Starts the feed. Resolves after the first response or failure. */
  async start(): Promise<void> {
    await this.refresh();
    if (this.settings.stream) {
      void follow(this.settings, this.stopped.signal, (version, isNew) => {
        if (version === this.flags?.version) this.confirm(staleAfter);
        else if (isNew) void this.refresh();
      });
    }
  }

  /** Stops the feed. */
  stop(): void {
    this.stopped.abort();
    clearTimeout(this.timer);
    clearTimeout(this.silence);
  }

  /** Records that the definitions are current, and that contact is expected within a time in milliseconds. */
  private confirm(withinMs: number): void {
    if (!this.flags || this.stopped.signal.aborted) return;
    clearTimeout(this.silence);
    this.silence = setTimeout(() => { this.listener.onSilence(); }, Math.min(withinMs, longestTimer));
    this.listener.onContact();
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
      else this.timer = setTimeout(() => void this.refresh(), Math.min(waitMs, longestTimer));
    });
    return this.reading;
  }

  /** Reads the definitions once, and returns how many milliseconds to wait before the next request. */
  private async read(): Promise<number> {
    const { pollIntervalMs } = this.settings;
    const init: RequestInit = { signal: this.stopped.signal };
    if (this.etag) init.headers = { 'If-None-Match': this.etag };
    try {
      const read = await request(definitionsUrl(this.settings), init, async (answer) => {
        if (answer.status === 304) return undefined;
        return { flags: new FlagSet((await answer.json()) as Definitions), etag: answer.headers.get('ETag') ?? undefined };
      });
      if (this.stopped.signal.aborted) return 0;
      const before = this.flags;
      if (read) ({ flags: this.flags, etag: this.etag } = read);
      this.failures = 0;
      // With a long interval and without a stream, contact is only expected at the next request.
      this.confirm(Math.max(staleAfter, pollIntervalMs * 1.1 + 30_000));
      if (read) this.listener.onFlags(read.flags, before);
      return pollIntervalMs * spread();
    } catch (error) {
      if (this.stopped.signal.aborted) return 0;
      const { message, waitMs } = error as RequestError;
      this.failures++;
      this.listener.onFailure(message);
      return backoff(this.failures, pollIntervalMs, waitMs);
    }
  }
}
