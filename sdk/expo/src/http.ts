import type { Answer } from './sender';

const timeoutMs = 30_000;
const longestPauseMs = 3600 * 1000;
/** The status of the server's response if it has accepted a report. */
const taken = 204;
const refusals = new Set([425, 429, 503]);

/** The part of fetch that this package uses. */
export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

/** Sends JSON, compressed if the platform supports it. Never fails. */
export async function postJSON(fetch: Fetch, url: string, headers: Record<string, string>, body: unknown): Promise<Answer> {
  try {
    const [packed, encoding] = await pack(JSON.stringify(body));
    const answer = await within(timeoutMs, (signal) =>
      fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...encoding, ...headers },
        body: packed,
        signal,
      }),
    );
    return outcome(answer);
  } catch {
    return { kind: 'later', afterMs: 0, refused: false };
  }
}

/** Runs a request with a timeout. */
export async function within<T>(ms: number, request: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const cut = new AbortController();
  const timer = setTimeout(() => {
    cut.abort();
  }, ms);
  try {
    return await request(cut.signal);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns how many milliseconds a response asks the client to wait. */
export function retryAfter(answer: Response): number {
  const value = answer.headers.get('retry-after') ?? '';
  const seconds = Number(value);
  const ms = value !== '' && Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - Date.parse(answer.headers.get('date') ?? '');
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), longestPauseMs) : 0;
}

function outcome(answer: Response): Answer {
  const { status } = answer;
  const isRefusal = refusals.has(status);
  // Any status other than 204 or a client error is not from Waft, but for example from a captive portal or a gateway.
  return status === taken || (status >= 400 && status < 500 && status !== 408 && !isRefusal)
    ? { kind: 'settled' }
    : { kind: 'later', afterMs: retryAfter(answer), refused: isRefusal };
}

const worthPackingBytes = 1024;

/** Compresses a long body with gzip. Hermes has no CompressionStream, unlike browsers, so it sends the text as it is. */
async function pack(text: string): Promise<[body: string | ArrayBuffer, headers: Record<string, string>]> {
  if (typeof CompressionStream === 'undefined' || text.length < worthPackingBytes) {
    return [text, {}];
  }
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
  return [await new Response(packed).arrayBuffer(), { 'content-encoding': 'gzip' }];
}
