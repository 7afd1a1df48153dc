import type { EvaluationContext } from '@openfeature/web-sdk';
import { backOff } from 'exponential-backoff';
import { createParser } from 'eventsource-parser';
import { areFlags, isChange, type FlagChange, type FlagValues } from './flagvalues';
import { isRefused, refusalOf, retryAfter, type Fetch, type Refusal } from './http';

/** The subject that flags are evaluated for. */
export interface FlagSubject {
  deviceId: string;
  targetingKey?: string;
  /** Attributes for rules, in addition to the data that the server has about the device. */
  attributes: Record<string, unknown>;
}

/** Returns the subject of this context. Its attributes become plain JSON values. */
export function subjectOf(deviceId: string, { targetingKey, ...attributes }: EvaluationContext): FlagSubject {
  return {
    deviceId, ...(targetingKey ? { targetingKey } : {}),
    attributes: JSON.parse(JSON.stringify(attributes)) as Record<string, unknown>,
  };
}

/** The server's address and the data about the app that requests for flags contain. */
export interface FlagEndpoint {
  url: string;
  project: string;
  channel: string | undefined;
  runtimeVersion: string;
  platform: string;
  updateUuid: string | null;
  fetch: Fetch;
  /** A fetch whose response body can be read while it arrives. */
  stream: Fetch;
  /** Tells the app's developers why the server does not accept requests. */
  tell: (refusal: Refusal) => void;
}

const bulkTimeoutMs = 10_000;
/** The server sends something every 15 seconds. */
const silenceMs = 45_000;
/** A connection that was open for this long counts as successful, which resets the delays. */
const steadyMs = 10_000;
/** How often flags are read if rules may depend on attributes, which the flag stream does not support. */
const pollEveryMs = 60_000;

/** The receiver of what the server sends. */
export interface FlagListener {
  /** Called with every change of the flags. */
  onChange(change: FlagChange): void;
  /** Called whenever the server has sent something, including the sign that a connection without changes still works. */
  onContact(): void;
}

class Failed extends Error {
  constructor(readonly afterMs: number) {
    super('the server did not answer with flags');
  }
}

/** Reads all flags. Fails if the server does not respond with flags, or when signal is aborted. */
export async function readFlags(at: FlagEndpoint, subject: FlagSubject, signal: AbortSignal): Promise<FlagValues> {
  const body = {
    projectSlug: at.project, channel: at.channel, deviceId: subject.deviceId, targetingKey: subject.targetingKey,
    platform: at.platform, runtimeVersion: at.runtimeVersion,
    attributes: { ...subject.attributes, ...(at.updateUuid === null ? {} : { update_id: at.updateUuid }) },
  };
  const cut = new AbortController();
  const abort = (): void => {
    cut.abort();
  };
  signal.addEventListener('abort', abort);
  const timer = setTimeout(abort, bulkTimeoutMs);
  try {
    const answer = await at.fetch(`${at.url}/v1/ota/flag-evaluations-bulk`, {
      method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body), signal: cut.signal,
    });
    if (isRefused(answer)) {
      at.tell(await refusalOf(answer));
    }
    if (!answer.ok) {
      throw new Failed(retryAfter(answer));
    }
    const { flags } = (await answer.json()) as { flags: unknown };
    if (!areFlags(flags)) {
      throw new Failed(0); // The response is not from the server, but for example from a captive portal.
    }
    return flags;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

/**
 * Follows the flags until signal is aborted: by the flag stream, or by reading all flags again and again if the subject has
 * attributes. Retries after failures. If isFresh, the flags were just read.
 */
export async function followFlags(
  at: FlagEndpoint, subject: FlagSubject, signal: AbortSignal, isFresh: boolean, listener: FlagListener,
): Promise<void> {
  if (Object.keys(subject.attributes).length > 0) {
    await pollFlags(at, subject, signal, isFresh ? pollEveryMs : 0, listener);
  } else {
    await streamFlags(at, subject, signal, listener);
  }
}

/** Reads all flags after a first pause, then periodically. */
export async function pollFlags(
  at: FlagEndpoint, subject: FlagSubject, signal: AbortSignal, firstMs: number, listener: FlagListener,
): Promise<void> {
  let failures = 0;
  let afterMs = firstMs;
  for (;;) {
    await pause(afterMs, signal);
    if (signal.aborted) {
      return;
    }
    try {
      const flags = await readFlags(at, subject, signal);
      if (isOpen(signal)) {
        listener.onContact();
        listener.onChange({ event: 'put', flags });
      }
      failures = 0;
      afterMs = pollEveryMs;
    } catch (error) {
      failures += 1;
      const delayMs = Math.min(pollEveryMs, 1000 * 2 ** failures) * (0.5 + Math.random() / 2);
      afterMs = Math.max(delayMs, error instanceof Failed ? error.afterMs : 0);
    }
  }
}

async function streamFlags(at: FlagEndpoint, subject: FlagSubject, signal: AbortSignal, listener: FlagListener): Promise<void> {
  const query = new URLSearchParams({ deviceId: subject.deviceId, runtimeVersion: at.runtimeVersion, platform: at.platform });
  for (const [name, value] of [['channel', at.channel], ['targetingKey', subject.targetingKey], ['updateId', at.updateUuid]] as const) {
    if (value) {
      query.set(name, value);
    }
  }
  const url = `${at.url}/v1/ota/flag-stream/${encodeURIComponent(at.project)}?${query.toString()}`;
  while (!signal.aborted) {
    await untilFailed(() => readStream(at.stream, url, signal, listener), signal);
  }
}

/** Connects with growing delays until a connection was successful. */
async function untilFailed(connect: () => Promise<void>, signal: AbortSignal): Promise<void> {
  await backOff(connect, {
    numOfAttempts: Infinity, delayFirstAttempt: true, startingDelay: 500, maxDelay: 60_000, jitter: 'full',
    retry: async (error: unknown) => {
      await pause(error instanceof Failed ? error.afterMs : 0, signal);
      return !signal.aborted;
    },
  }).catch(() => undefined);
}

/** Returns when a successful connection has ended. Fails if the connection brought no flags or ended too soon. */
async function readStream(stream: Fetch, url: string, signal: AbortSignal, listener: FlagListener): Promise<void> {
  if (signal.aborted) {
    return;
  }
  const cut = new AbortController();
  const abort = (): void => {
    cut.abort();
  };
  signal.addEventListener('abort', abort);
  let silence = setTimeout(abort, silenceMs);
  const connection = { isLive: false };
  const opened = performance.now();
  try {
    const answer = await stream(url, { headers: { accept: 'text/event-stream' }, signal: cut.signal });
    if (!answer.ok || !answer.body) {
      throw new Failed(retryAfter(answer));
    }
    const parser = createParser({
      onEvent: ({ event, data }) => {
        const change = { ...(JSON.parse(data) as object), event };
        if (isChange(change) && isOpen(signal)) {
          connection.isLive = true;
          listener.onChange(change);
        }
      },
    });
    const reader = answer.body.getReader();
    const decoder = new TextDecoder();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      clearTimeout(silence);
      silence = setTimeout(abort, silenceMs);
      parser.feed(decoder.decode(part.value, { stream: true }));
      if (connection.isLive && isOpen(signal)) {
        listener.onContact();
      }
    }
  } catch (error) {
    if (!connection.isLive) {
      throw error;
    }
  } finally {
    clearTimeout(silence);
    signal.removeEventListener('abort', abort);
    abort(); // An unreadable event would leave the connection open.
  }
  if (!connection.isLive || performance.now() - opened < steadyMs) {
    throw new Failed(0);
  }
}

/** Reports whether the signal is not aborted. TypeScript assumes that a property does not change during an await. */
function isOpen(signal: AbortSignal): boolean {
  return !signal.aborted;
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0 && !signal.aborted) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(end, ms);
      signal.addEventListener('abort', end);
      function end(): void {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        resolve();
      }
    });
  }
}
