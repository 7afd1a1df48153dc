import type { Origin } from './queue';
import { Stored, type KeyValueStorage } from './storage';

/** A stored note about a session, for the next session. A session lasts while the app's JavaScript runs. */
export interface SessionNote {
  origin: Origin;
  /** In milliseconds since 1970. */
  startedAt: number;
  /** True after the session went to the background, was stopped or restarted. Its end is then not a fault. */
  ended: boolean;
  /** When the session reported a crash itself, in milliseconds since 1970. */
  crashedAt?: number;
  /** The update that is expected to run at the next start. */
  pendingUpdate?: string;
  /** The update that the app was restarted for automatically. */
  restartedFor?: string;
}

/** Keeps a note in the storage about how the session ended. */
export class Session {
  readonly #stored: Stored<SessionNote>;
  #note: SessionNote | undefined;
  /** The note of the previous session. */
  readonly previous: Promise<SessionNote | undefined>;

  constructor(storage: KeyValueStorage, name: string) {
    this.#stored = new Stored(storage, name);
    this.previous = this.#stored.read().then((note) => (isNote(note) ? note : undefined));
  }

  /** Begins a session and returns the note of the previous one. A session in the background may end without further notice. */
  async begin(origin: Origin, inBackground: boolean): Promise<SessionNote | undefined> {
    const previous = await this.previous;
    this.#note = { origin, startedAt: Date.now(), ended: inBackground, ...this.#note };
    await this.#stored.write(this.#note);
    return previous;
  }

  /** Changes the note. Before the session has begun, keeps the change until then. */
  async mark(change: Partial<SessionNote>): Promise<void> {
    const begun = this.#note?.origin;
    this.#note = { ...this.#note, ...change } as SessionNote;
    if (begun) {
      await this.#stored.write(this.#note);
    }
  }
}

function isNote(value: unknown): value is SessionNote {
  const note = value as Partial<SessionNote> | undefined;
  return typeof note?.startedAt === 'number' && typeof note.origin === 'object';
}
