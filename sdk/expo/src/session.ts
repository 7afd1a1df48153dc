import type { Origin } from './queue';
import { Stored, type KeyValueStorage } from './storage';

/** What is noted of a session, for the next one. A session lasts while the app's JavaScript runs. */
export interface SessionNote {
  origin: Origin;
  /** In milliseconds since 1970. */
  startedAt: number;
  /** It went to the background, was stopped or restarted: whatever ends it then is no fault. */
  ended: boolean;
  /** It reported a crash itself. */
  crashed: boolean;
  /** The update that was to run at the next start. */
  pendingUpdate?: string;
  /** The update that it was restarted for, without asking. */
  restartedFor?: string;
}

/** The marker in the storage that says how the session ended. */
export class Session {
  readonly #stored: Stored<SessionNote>;
  #note: SessionNote | undefined;
  /** The note of the session before. */
  readonly previous: Promise<SessionNote | undefined>;

  constructor(storage: KeyValueStorage, name: string) {
    this.#stored = new Stored(storage, name);
    this.previous = this.#stored.read().then((note) => (isNote(note) ? note : undefined));
  }

  /** Begins a session and answers the note of the one before. One that begins in the background may end without a word. */
  async begin(origin: Origin, inBackground: boolean): Promise<SessionNote | undefined> {
    const previous = await this.previous;
    this.#note = { origin, startedAt: Date.now(), ended: inBackground, crashed: false, ...this.#note };
    await this.#stored.write(this.#note);
    return previous;
  }

  /** Changes the note. Before the session has begun the change is kept until then. */
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
