import type { Refusal } from './http';

/** A mistake in the app or on the server that another attempt does not mend. */
export interface WaftError {
  /**
   * The server's code of the error, such as `not_found`, or `unexpected_response` if the response does not come from Waft. A mistake in the
   * app has the code `before_send` if its `beforeSend` does not work, and `updates_disabled` if a release build has expo-updates disabled.
   */
  code: string;
  /** Sentences for developers, which name the server, the project and the settings to check. */
  message: string;
}

/** Called with an error for developers. */
export type OnError = (error: WaftError) => void;

/** Tells the app's developers of each kind of problem, once per launch. */
export class Problems {
  readonly #target: { url: string; project: string };
  readonly #onError: OnError | undefined;
  readonly #isDevelopment: boolean;
  readonly #told = new Set<string>();

  /** Problems occur in requests to the target. In development they are also told on the console. */
  constructor(target: { url: string; project: string }, onError: OnError | undefined, isDevelopment: boolean) {
    this.#target = target;
    this.#onError = onError;
    this.#isDevelopment = isDevelopment;
  }

  /** Tells why the server did not accept a request. */
  tell({ status, code, detail }: Refusal): void {
    const { url, project } = this.#target;
    const reason = detail ?? 'the response does not come from Waft';
    this.#tell(
      code,
      `${url} responded to a request for the project "${project}" with status ${status}: ${reason}. ` +
        'Check "url", "project" and "channel" of createWaft or of the plugin, or "updates" in the app config.',
    );
  }

  /** Tells that the app's `beforeSend` has made a mistake, as a predicate of it. */
  tellHook(mistake: string): void {
    this.#tell('before_send', `beforeSend ${mistake}. The event is dropped.`);
  }

  /** Tells that a release build neither reports nor updates, because its expo-updates is disabled. */
  tellDisabled(): void {
    this.#tell(
      'updates_disabled',
      'expo-updates is disabled in this build, so the app does not report or check for updates. Enable it in the native project, ' +
        'or pass enabled: true to createWaft to report without updates.',
    );
  }

  #tell(code: string, sentences: string): void {
    if (this.#told.has(code)) {
      return;
    }
    this.#told.add(code);
    const message = `@waft/expo: ${sentences}`;
    try {
      if (this.#isDevelopment) {
        console.warn(message);
      }
      this.#onError?.({ code, message });
    } catch {
      // The function is the app's. Its error must not reach the code that sends reports.
    }
  }

  /** In development, tells that the server does not respond. Devices in use are often offline, so onError does not get it. */
  unreachable(why: string): void {
    const { url } = this.#target;
    if (this.#isDevelopment && !this.#told.has(url)) {
      this.#told.add(url);
      const [, local] = /\/\/(localhost|127\.[\d.]+)/.exec(url) ?? [];
      console.warn(
        `@waft/expo: ${url} does not respond (${why}). Check that the server runs and that this device can reach it, and "url" of ` +
          'createWaft or of the plugin.' + (local ? ` On a phone, ${local} is the phone itself.` : ''),
      );
    }
  }
}
