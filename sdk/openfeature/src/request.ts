/** How long an answer may take, in milliseconds. */
const answerLimit = 10_000;

/** A failed request. */
export class RequestError extends Error {
  /**
   * @param message - A sentence with the address.
   * @param refused - Whether the server surely did not act on the request, so that it may be sent again.
   * @param waitMs - How long the server asks to wait, in milliseconds.
   */
  constructor(message: string, readonly refused: boolean, readonly waitMs = 0) {
    super(message);
    this.name = 'RequestError';
  }
}

/** Codes of Node.js for connections that never were. */
const notConnected = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];

/**
 * Sends a request and reads its answer within a limit of time. It throws a RequestError when the answer is none of 2xx
 * and 304, or does not come.
 */
export async function request<T>(url: string, init: RequestInit, read: (answer: Response) => Promise<T> | T): Promise<T> {
  const limit = new AbortController();
  const abort = () => { limit.abort(); };
  const timer = setTimeout(abort, answerLimit);
  init.signal?.addEventListener('abort', abort);
  try {
    if (init.signal?.aborted) abort();
    return await read(accepted(url, await fetch(url, { ...init, signal: limit.signal })));
  } catch (error) {
    throw failure(url, error);
  } finally {
    clearTimeout(timer);
    init.signal?.removeEventListener('abort', abort);
    abort(); // Of a failure the body is not read, which keeps the connection open.
  }
}

/** The answer, unless its status is a failure. */
export function accepted(url: string, answer: Response): Response {
  if (answer.ok || answer.status === 304) return answer;
  const refused = answer.status === 429 || answer.status === 503;
  throw new RequestError(`${url} answered ${answer.status}`, refused, retryAfter(answer.headers.get('Retry-After')));
}

/** The error of a request, with a sentence about it. */
export function failure(url: string, error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  const { message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  const code = cause?.code ?? '';
  return new RequestError(`${url} could not be read: ${cause?.message ?? message}`, notConnected.includes(code));
}

/** The milliseconds that a header Retry-After asks to wait. */
function retryAfter(header: string | null): number {
  if (!header) return 0;
  const wait = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return wait > 0 ? Math.min(wait, 3_600_000) : 0;
}

/**
 * How long to wait before a request is made again, in milliseconds: twice as long after each failure, up to most, and
 * not at the same time as others do.
 */
export function backoff(failures: number, most: number, waitMs: number): number {
  return Math.max(Math.min(most, 1000 * 2 ** Math.min(failures - 1, 20)) * spread(), waitMs);
}

/** A factor around 1, so that clients that began together do not ask together. */
export function spread(): number {
  return 0.9 + Math.random() * 0.2;
}
