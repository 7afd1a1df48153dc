import { cleanBreadcrumb, cleanBreadcrumbs, most, type Breadcrumb } from './breadcrumbs';
import { tagLimit, type HealthEvent } from './event';
import { bounded, printed } from './text';

/** The user of the app. */
export interface User {
  /**
   * The user's ID in the app's own system.
   *
   * @defaultValue none
   */
  id?: string | number | undefined;
  /**
   * The user's email address, which is sent only with `sendPersonalData`.
   *
   * @defaultValue none
   */
  email?: string | undefined;
  /**
   * The user's name, which is sent only with `sendPersonalData`.
   *
   * @defaultValue none
   */
  username?: string | undefined;
}

/** A breadcrumb that the app adds. At least `message` or `category` is needed. */
export interface NewBreadcrumb {
  /**
   * A description, at most 512 characters.
   *
   * @defaultValue none
   */
  message?: string | undefined;
  /**
   * The kind of the action, such as `navigation`, at most 64 characters.
   *
   * @defaultValue none
   */
  category?: string | undefined;
  /**
   * The importance of the breadcrumb.
   *
   * @defaultValue `'info'`
   */
  level?: 'debug' | 'info' | 'warning' | 'error' | undefined;
  /**
   * At most 16 values of at most 256 characters.
   *
   * @defaultValue none
   */
  data?: Record<string, string> | undefined;
}

/** The user and the breadcrumbs, which are added to errors and crashes. */
export class Scope {
  readonly #sendsPersonalData: boolean;
  #user: Record<string, string> = {};
  /** The time of each breadcrumb is formatted only when an error needs it. */
  #breadcrumbs: { at: number; breadcrumb: Omit<Breadcrumb, 'timestamp'> }[] = [];

  constructor(sendsPersonalData: boolean) {
    this.#sendsPersonalData = sendsPersonalData;
  }

  setUser(user: User | null | undefined): void {
    const { id, email, username } = user ?? {};
    const sent = { 'user.id': id, ...(this.#sendsPersonalData ? { 'user.email': email, 'user.username': username } : {}) };
    this.#user = {};
    for (const [name, value] of Object.entries(sent)) {
      if ((value ?? undefined) !== undefined) {
        this.#user[name] = printed(value); // JavaScript code may pass anything.
      }
    }
  }

  /** Adds a breadcrumb, and forgets the oldest beyond fifty. Ignores what is not a breadcrumb. */
  add(given: NewBreadcrumb | undefined): void {
    const breadcrumb = cleanBreadcrumb(given);
    if (breadcrumb) {
      this.#breadcrumbs.push({ at: Date.now(), breadcrumb });
      if (this.#breadcrumbs.length > 2 * most) {
        this.#breadcrumbs.splice(0, most); // Seldom, because an app may add thousands.
      }
    }
  }

  #timed(): Breadcrumb[] {
    return cleanBreadcrumbs(this.#breadcrumbs.map(({ at, breadcrumb }) => ({ ...breadcrumb, timestamp: new Date(at).toISOString() })));
  }

  /** Returns an error or a crash with the user and the breadcrumbs, and other events unchanged. */
  on(event: HealthEvent): HealthEvent {
    if (event.type !== 'js_error' && event.type !== 'crash') {
      return event;
    }
    const tags = bounded({ ...this.#user, ...event.tags }, tagLimit);
    return {
      ...event,
      ...(Object.keys(tags).length > 0 ? { tags } : {}),
      ...(this.#breadcrumbs.length > 0 ? { breadcrumbs: this.#timed() } : {}),
    };
  }
}
