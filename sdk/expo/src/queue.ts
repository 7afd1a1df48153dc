import { mostCount, sameness, type HealthEvent } from './event';
import { Stored, type KeyValueStorage } from './storage';

/** What the app ran when an event occurred. Reports have one for all of their events. */
export interface Origin {
  channel?: string;
  runtimeVersion: string;
  /** null is the update inside the app. */
  updateUuid: string | null;
}

/** A report that waits. */
export interface Batch {
  /** The Idempotency-Key. It is chosen with the first event, so that what was stored and what was sent have the same. */
  key: string;
  origin: Origin;
  events: HealthEvent[];
  /** When it was first sent without a known answer, in milliseconds since 1970. */
  sentAt?: number;
}

/** Bounds of what waits; the server takes 500 events and 512 KiB in a report. */
const maxEvents = 100;
const maxBatchBytes = 128 << 10;
const maxBatches = 50;
const maxBytes = 512 << 10;
/** The shortest time between two writes. */
const writeEveryMs = 250;

/** The reports that wait, in memory and in the storage. Above the bounds the oldest are dropped. */
export class Queue {
  readonly #stored: Stored<Batch[]>;
  readonly #newKey: () => string;
  #batches: Batch[] = [];
  /** The batch that events are added to: the last of its origin that was neither stored by an earlier process nor sent. */
  #open: Batch | undefined;
  #known = new Map<string, HealthEvent>();
  #bytes = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wroteAt = -Infinity;
  /** Resolves when the reports of earlier processes are in the queue, or when the storage had its time. */
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

  /** Adds the event; one that is already waiting to be sent is counted. */
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

  /** The oldest report. No event is added to it any more. */
  next(): Batch | undefined {
    const [oldest] = this.#batches;
    if (oldest === this.#open) {
      this.#open = undefined;
    }
    return oldest;
  }

  /** Removes a report whose fate is known. */
  remove(batch: Batch): void {
    this.#batches = this.#batches.filter((b) => b !== batch);
  }

  /** Writes what waits. It never fails; see Stored. */
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
