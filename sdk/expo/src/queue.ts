import { droppedName, importance, levels, mostCount, sameness, sizeOf, type HealthEvent } from './event';
import { Stored, type KeyValueStorage } from './storage';

/** The channel, runtime version and update that the app ran when an event occurred. All events of a report share it. */
export interface Origin {
  channel?: string;
  runtimeVersion: string;
  /** The update ID, or null for the embedded update. */
  updateUuid: string | null;
}

/** A waiting report. */
export interface Batch {
  /** The Idempotency-Key. It is chosen with the first event, so that the stored and the sent report have the same key. */
  key: string;
  origin: Origin;
  events: HealthEvent[];
  /** When the report was first sent without a known response, in milliseconds since 1970. */
  sentAt?: number;
}

/** A pause before the next report, stored so that it also holds for an app that starts again. */
export interface Pause {
  /** When the pause began, in milliseconds since 1970. */
  from: number;
  ms: number;
}

interface State {
  reports: Batch[];
  pause?: Pause | undefined;
  /** True after the server has accepted a report. */
  worked?: boolean;
}

/** A batch in the queue. */
interface Entry {
  batch: Batch;
  /** The size of each event in characters of JSON, and of all. */
  sizes: number[];
  bytes: number;
  /** Number of events at each level of importance. */
  counts: number[];
  /** How often the server has refused the report for good. */
  refusals: number;
}

/** Limits of a report. The server accepts 500 events and 512 KiB. */
const maxBatchEvents = 100;
const maxBatchBytes = 128 << 10;
/** Limits of all waiting reports together. */
const maxEvents = 5000;
const maxBytes = 512 << 10;
/** Minimum time between two writes. */
const writeEveryMs = 250;

/**
 * The waiting reports, in memory and in the storage. Above the limits, the queue drops events: the least important events first, and of
 * those the oldest. It reports the number of dropped events.
 */
export class Queue {
  readonly #stored: Stored<State>;
  readonly #newKey: () => string;
  /** Oldest first. */
  #entries: Entry[] = [];
  /** The batch that events are added to. Never a batch that was sent or that an earlier process stored. */
  #open: Entry | undefined;
  /** The events of the open batch, by what makes two events the same. */
  #known = new Map<string, HealthEvent>();
  #bytes = 0;
  #events = 0;
  /** The batch and the event with the number of dropped events. */
  #dropped: { entry: Entry; event: HealthEvent } | undefined;
  /** The report that next() returned last. The server may be receiving it. */
  #sending: Batch | undefined;
  #worked = false;
  /** The last pause before a report. */
  pause: Pause | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wroteAt = -Infinity;
  /** Resolves when the reports of earlier processes are in the queue, or when the storage has taken too long. */
  readonly loaded: Promise<void>;

  constructor(storage: KeyValueStorage, name: string, newKey: () => string) {
    this.#stored = new Stored(storage, name);
    this.#newKey = newKey;
    this.loaded = this.#load();
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** True after the server has accepted a report, in this process or an earlier one. */
  get hasWorked(): boolean {
    return this.#worked;
  }

  async #load(): Promise<void> {
    this.#adopt(
      await this.#stored.read((late) => {
        this.#adopt(late);
        void this.#write();
      }),
    );
  }

  #adopt(stored: unknown): void {
    const { reports, pause, worked } = (typeof stored === 'object' && stored !== null ? stored : {}) as Partial<State>;
    this.#worked ||= worked === true;
    if (typeof pause?.from === 'number' && typeof pause.ms === 'number') {
      this.pause ??= pause;
    }
    if (Array.isArray(reports)) {
      const earlier = reports.filter(isBatch).map((batch): Entry => {
        const entry = entryOf(batch);
        for (const event of batch.events) {
          this.#count(entry, event, sizeOf(event, sameness(event)));
        }
        return entry;
      });
      this.#entries = [...earlier, ...this.#entries];
      this.#bound();
    }
  }

  /** Adds the event. If the same event is already in the open batch, increases its count instead. */
  add(event: HealthEvent, origin: Origin): void {
    const id = sameness(event);
    const size = sizeOf(event, id);
    const open = this.#openFor(origin, size);
    const known = this.#known.get(id);
    if (known) {
      known.count = Math.min(known.count + event.count, mostCount);
    } else {
      open.batch.events.push(event);
      this.#known.set(id, event);
      this.#count(open, event, size);
      this.#bound();
    }
    const wait = Math.max(0, this.#wroteAt + writeEveryMs - performance.now());
    this.#timer ??= setTimeout(() => void this.save(), wait);
  }

  /** Returns the open batch if the event fits in it, or otherwise a new one. */
  #openFor(origin: Origin, size: number): Entry {
    const open = this.#open;
    const fits = open && open.batch.events.length < maxBatchEvents && open.bytes + size <= maxBatchBytes;
    if (fits && isSame(open.batch.origin, origin)) {
      return open;
    }
    const entry = entryOf({ key: this.#newKey(), origin, events: [] });
    this.#open = entry;
    this.#known = new Map();
    this.#entries.push(entry);
    return entry;
  }

  #count(entry: Entry, event: HealthEvent, size: number): void {
    const level = importance(event);
    entry.counts[level] = (entry.counts[level] ?? 0) + 1;
    entry.sizes.push(size);
    entry.bytes += size;
    this.#bytes += size;
    this.#events += 1;
  }

  /**
   * Returns the report to send next: a report with a crash, otherwise the oldest one. Reports that the server has refused come after the
   * other reports. From then on, events are no longer added to it.
   */
  next(): Batch | undefined {
    const order = (entry: Entry): number => entry.refusals * 2 + (hasCrash(entry) ? 0 : 1);
    const first = this.#entries.reduce<Entry | undefined>((best, entry) => (!best || order(entry) < order(best) ? entry : best), undefined);
    if (first === this.#open) {
      this.#open = undefined;
    }
    this.#sending = first?.batch;
    return first?.batch;
  }

  /** Removes a report that the server has accepted, or that it will never accept. */
  remove(batch: Batch): void {
    const entry = this.#entries.find((e) => e.batch === batch);
    if (!entry) {
      return;
    }
    this.#entries.splice(this.#entries.indexOf(entry), 1);
    this.#bytes -= entry.bytes;
    this.#events -= batch.events.length;
    if (entry === this.#dropped?.entry) {
      this.#dropped = undefined;
    }
  }

  /** Removes all reports, including the stored ones. */
  async clear(): Promise<void> {
    await this.loaded;
    this.#entries = [];
    this.#open = undefined;
    this.#dropped = undefined;
    this.#bytes = 0;
    this.#events = 0;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#stored.write(undefined);
  }

  /** Removes a report that the server has accepted. */
  accepted(batch: Batch): void {
    this.#worked = true;
    this.remove(batch);
  }

  /** Moves a report behind the reports that the server has not refused as often. */
  refused(batch: Batch): void {
    const entry = this.#entries.find((e) => e.batch === batch);
    if (entry) {
      entry.refusals += 1;
    }
  }

  /** Writes the waiting reports to the storage. Never fails; see Stored. */
  async save(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#wroteAt = performance.now();
    await this.loaded;
    await this.#write();
  }

  #write(): Promise<void> {
    return this.#stored.write({ reports: this.#entries.map((entry) => entry.batch), pause: this.pause, worked: this.#worked });
  }

  /** Drops events until the rest is within the limits. */
  #bound(): void {
    let dropped = 0;
    while (this.#events > maxEvents || this.#bytes > maxBytes) {
      const count = this.#dropOne();
      if (count === undefined) {
        break;
      }
      dropped += count;
    }
    if (dropped > 0) {
      this.#noteDropped(dropped);
    }
  }

  /**
   * Drops the oldest of the least important events, and returns its count. A report that may have arrived is dropped as a whole, and
   * counts as arrived.
   */
  #dropOne(): number | undefined {
    for (const level of levels) {
      for (const entry of this.#entries) {
        if (!entry.counts[level] || entry.batch === this.#sending) {
          continue;
        }
        if (entry.batch.sentAt === undefined) {
          return this.#drop(entry, entry.batch.events.findIndex((event) => importance(event) === level));
        }
        if (levels.every((higher) => higher <= level || !entry.counts[higher])) {
          this.remove(entry.batch);
          return 0;
        }
      }
    }
    return undefined;
  }

  #drop(entry: Entry, at: number): number {
    const [event] = entry.batch.events.splice(at, 1) as [HealthEvent];
    const [size] = entry.sizes.splice(at, 1) as [number];
    const level = importance(event);
    entry.counts[level] = (entry.counts[level] ?? 0) - 1;
    entry.bytes -= size;
    this.#bytes -= size;
    this.#events -= 1;
    if (entry === this.#open) {
      this.#known = new Map([...this.#known].filter(([, known]) => known !== event));
    }
    if (entry.batch.events.length === 0) {
      this.#entries.splice(this.#entries.indexOf(entry), 1);
      this.#open = entry === this.#open ? undefined : this.#open;
    }
    return event.count;
  }

  #noteDropped(count: number): void {
    const noted = this.#dropped;
    if (noted && noted.entry.batch.sentAt === undefined) {
      noted.event.count = Math.min(noted.event.count + count, mostCount);
      return;
    }
    const unsent = this.#entries.filter(({ batch }) => batch.sentAt === undefined && batch !== this.#sending);
    const entry = this.#open ?? unsent.at(-1);
    if (entry) {
      const event: HealthEvent = { type: 'custom', name: droppedName, count };
      entry.batch.events.push(event);
      this.#count(entry, event, sizeOf(event, sameness(event)));
      this.#dropped = { entry, event };
    }
  }
}

function entryOf(batch: Batch): Entry {
  return { batch, sizes: [], bytes: 0, counts: levels.map(() => 0), refusals: 0 };
}

function hasCrash(entry: Entry): boolean {
  return entry.batch.events.some((event) => event.type === 'crash');
}

function isSame(a: Origin, b: Origin): boolean {
  return a === b || (a.channel === b.channel && a.runtimeVersion === b.runtimeVersion && a.updateUuid === b.updateUuid);
}

function isBatch(value: unknown): value is Batch {
  const batch = value as Partial<Batch> | null;
  return typeof batch?.key === 'string' && typeof batch.origin === 'object' && Array.isArray(batch.events) && batch.events.length > 0;
}
