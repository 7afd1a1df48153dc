import { mostCount, sameness, type HealthEvent } from './event';
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

/** Limits for waiting reports. The server accepts 500 events and 512 KiB in a report. */
const maxEvents = 100;
const maxBatchBytes = 128 << 10;
const maxBatches = 50;
const maxBytes = 512 << 10;
/** Minimum time between two writes. */
const writeEveryMs = 250;

/** The waiting reports, in memory and in the storage. Above the limits the oldest reports are dropped. */
export class Queue {
  readonly #stored: Stored<Batch[]>;
  readonly #newKey: () => string;
  #batches: Batch[] = [];
  /** The batch that events are added to. Never a batch that was sent or that an earlier process stored. */
  #open: Batch | undefined;
  #known = new Map<string, HealthEvent>();
  #bytes = 0;
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
    return this.#batches.length === 0;
  }

  async #load(): Promise<void> {
    this.#adopt(
      await this.#stored.read((late) => {
        this.#adopt(late);
        void this.#stored.write(this.#batches);
      }),
    );
  }

  #adopt(earlier: unknown): void {
    if (Array.isArray(earlier)) {
      this.#batches = [...earlier.filter(isBatch), ...this.#batches];
      this.#bound();
    }
  }

  /** Adds the event. If the same event is already waiting, increases its count instead. */
  add(event: HealthEvent, origin: Origin): void {
    const size = JSON.stringify(event).length;
    const open = this.#openFor(origin, size);
    const id = sameness(event);
    const known = this.#known.get(id);
    if (known) {
      known.count = Math.min(known.count + event.count, mostCount);
    } else {
      const own = { ...event };
      open.events.push(own);
      this.#known.set(id, own);
      this.#bytes += size;
    }
    const wait = Math.max(0, this.#wroteAt + writeEveryMs - performance.now());
    this.#timer ??= setTimeout(() => void this.save(), wait);
  }

  #openFor(origin: Origin, size: number): Batch {
    const open = this.#open;
    const fits = open && open.events.length < maxEvents && this.#bytes + size <= maxBatchBytes;
    if (fits && JSON.stringify(open.origin) === JSON.stringify(origin)) {
      return open;
    }
    const batch: Batch = { key: this.#newKey(), origin, events: [] };
    this.#open = batch;
    this.#known = new Map();
    this.#bytes = 0;
    this.#batches.push(batch);
    this.#bound();
    return batch;
  }

  /** Returns the oldest report. From then on, events are no longer added to it. */
  next(): Batch | undefined {
    const [oldest] = this.#batches;
    if (oldest === this.#open) {
      this.#open = undefined;
    }
    return oldest;
  }

  /** Removes a report that was sent or that the server will never accept. */
  remove(batch: Batch): void {
    this.#batches = this.#batches.filter((b) => b !== batch);
  }

  /** Writes the waiting reports to the storage. Never fails; see Stored. */
  async save(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#wroteAt = performance.now();
    await this.loaded;
    await this.#stored.write(this.isEmpty ? undefined : this.#batches);
  }

  #bound(): void {
    const sizes = this.#batches.map((b) => JSON.stringify(b).length);
    let total = sizes.reduce((sum, size) => sum + size, 0);
    let dropped = 0;
    while (this.#batches.length - dropped > maxBatches || (total > maxBytes && this.#batches.length - dropped > 1)) {
      total -= sizes[dropped] ?? 0;
      dropped += 1;
    }
    this.#batches.splice(0, dropped);
  }
}

function isBatch(value: unknown): value is Batch {
  const batch = value as Partial<Batch> | null;
  return typeof batch?.key === 'string' && typeof batch.origin === 'object' && Array.isArray(batch.events) && batch.events.length > 0;
}
