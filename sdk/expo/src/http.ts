import type { Answer } from './sender';

const timeoutMs = 30_000;
const longestPauseMs = 3600 * 1000;
/** The status of the server's response if it has accepted a report. */
const taken = 204;
/** The statuses that ask the client to come again later. The server does not have the report. */
const pauses = new Set([425, 429, 503]);

/** The part of fetch that this package uses. */
export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

/** Sends JSON, compressed if the platform supports it. Never fails. */
export async function postJSON(fetch: Fetch, url: string, headers: Record<string, string>, body: unknown): Promise<Answer> {
  try {
    const [packed, encoding] = await pack(JSON.stringify(body));
    return await within(timeoutMs, async (signal) =>
      outcome(
        await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...encoding, ...headers },
          body: packed,
          signal,
        }),
      ),
    );
  } catch {
    return { kind: 'later', afterMs: 0, isUnknown: true };
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

/** Why a server did not accept a request. */
export interface Refusal {
  status: number;
  /** The code of a problem in Waft's form (RFC 9457), or `unexpected_response` if the response does not come from Waft. */
  code: string;
  /** The server's explanation. Undefined if the response does not come from Waft. */
  detail: string | undefined;
}

/** Returns why a server did not accept a request. */
export async function refusalOf(answer: Response): Promise<Refusal> {
  const { status } = answer;
  try {
    const { code, detail } = (await answer.json()) as Record<string, unknown>;
    if (typeof code === 'string' && typeof detail === 'string') {
      return { status, code, detail };
    }
  } catch {
    // The response is empty, or a page.
  }
  return { status, code: 'unexpected_response', detail: undefined };
}

/** Returns true for a response that another attempt does not change. */
export function isRefused({ status }: Response): boolean {
  return status >= 400 && status < 500 && status !== 408 && !pauses.has(status);
}

async function outcome(answer: Response): Promise<Answer> {
  const { status } = answer;
  if (status === taken) {
    return { kind: 'accepted' };
  }
  const isPause = pauses.has(status);
  if (isPause || status >= 500) {
    return { kind: 'later', afterMs: retryAfter(answer), isUnknown: !isPause };
  }
  // A response other than 204 or a problem is not from Waft, but for example from a gateway or the page of a hotel's network.
  const refusal = await refusalOf(answer);
  return isRefused(answer) && refusal.detail !== undefined
    ? { kind: 'refused', refusal }
    : { kind: 'later', afterMs: 0, isUnknown: !isRefused(answer), refusal };
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
