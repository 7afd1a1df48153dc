/** Maximum time for a response, in milliseconds. */
const answerLimit = 10_000;

/** A failed request. */
export class RequestError extends Error {
  /**
   * @param message - A sentence that contains the address.
   * @param refused - True if the server certainly did not process the request, so that it may be sent again.
   * @param waitMs - How long the server asks the client to wait, in milliseconds.
   */
  constructor(message: string, readonly refused: boolean, readonly waitMs = 0) {
    super(message);
    this.name = 'RequestError';
  }
}

/** Error codes of Node.js for connections that were not established. */
const notConnected = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];

/**
 * Sends a request and reads the response within a time limit. Throws a RequestError if the status is neither 2xx nor
 * 304, or if there is no response.
 */
export async function request<T>(url: string, init: RequestInit, read: (answer: Response) => Promise<T> | T): Promise<T> {
  const limit = new AbortController();
  const abort = () => { limit.abort(); };
  const timer = setTimeout(() => { limit.abort(new Error(`no response within ${answerLimit / 1000} seconds`)); }, answerLimit);
  init.signal?.addEventListener('abort', abort);
  try {
    if (init.signal?.aborted) abort();
    return await read(await accepted(url, await fetch(url, { ...init, signal: limit.signal })));
  } catch (error) {
    throw failure(url, error);
  } finally {
    clearTimeout(timer);
    init.signal?.removeEventListener('abort', abort);
    abort(); // After a failure the body was not read, and would keep the connection open.
  }
}

/** Returns the response. Throws a RequestError with the server's explanation if the status is a failure. */
export async function accepted(url: string, answer: Response): Promise<Response> {
  const { status, headers } = answer;
  if (answer.ok || status === 304) return answer;
  const refused = status === 429 || status === 503;
  throw new RequestError(`${url} answered ${status}${await explanation(answer)}`, refused, retryAfter(headers.get('Retry-After')));
}

/** Returns the explanation of a problem in Waft's form (RFC 9457), after a colon. Returns '' for any other response. */
async function explanation(answer: Response): Promise<string> {
  if (!answer.headers.get('Content-Type')?.includes('json')) return '';
  try {
    const { detail } = (await answer.json()) as { detail?: unknown };
    return typeof detail === 'string' ? `: ${detail}` : '';
  } catch {
    return '';
  }
}

/** Returns any error of a request as a RequestError. */
export function failure(url: string, error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  const { message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  const code = cause?.code ?? '';
  return new RequestError(`${url} could not be read: ${cause?.message ?? message}`, notConnected.includes(code));
}

/** Returns the milliseconds of a Retry-After header. */
function retryAfter(header: string | null): number {
  if (!header) return 0;
  const wait = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return wait > 0 ? Math.min(wait, 3_600_000) : 0;
}

/**
 * Returns how many milliseconds to wait before a request is sent again. The time doubles after each failure, up to
 * most, and is randomized, so that clients do not retry at the same time.
 */
export function backoff(failures: number, most: number, waitMs: number): number {
  return Math.max(Math.min(most, 1000 * 2 ** Math.min(failures - 1, 20)) * spread(), waitMs);
}

/** Returns a random factor around 1, so that clients that started together do not send requests together. */
export function spread(): number {
  return 0.9 + Math.random() * 0.2;
}
