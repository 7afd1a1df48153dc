import type { Settings } from './options.js';
import { accepted, backoff, failure } from './request.js';

/** Maximum time without data on a stream, in milliseconds. The server sends something every 15 seconds. */
const silenceLimit = 45_000;

/** A stream that was open for this many milliseconds counts as successful, which resets the backoff. */
const steady = 10_000;

/** Maximum time between two attempts to open the stream, in milliseconds. */
const longestWait = 60_000;

/** Called whenever data has arrived. version is the last announced version of the connection; isNew if these data announce it. */
export type OnData = (version: string, isNew: boolean) => void;

/**
 * Calls onData for data on the stream until stop is aborted. Does not call it before a connection has announced a version,
 * because the data may come from something else, such as a captive portal. Opens the stream again whenever it ends. Never rejects.
 */
export async function follow(settings: Settings, stop: AbortSignal, onData: OnData): Promise<void> {
  const { url, project, channel } = settings;
  const address = `${url}/v1/ota/flag-stream/${encodeURIComponent(project)}?channel=${encodeURIComponent(channel)}&definitions=true`;
  for (let failures = 1; !stop.aborted; failures++) {
    let waitMs = 0;
    const stream = { isLive: false };
    const opened = performance.now();
    try {
      await readStream(address, stop, (version, isNew) => {
        stream.isLive = true;
        onData(version, isNew);
      });
    } catch (error) {
      ({ waitMs } = failure(address, error));
    }
    if (stream.isLive && performance.now() - opened >= steady) failures = 1;
    await pause(backoff(failures, longestWait, waitMs), stop);
  }
}

/** Reads the stream until it ends. */
async function readStream(address: string, stop: AbortSignal, onData: OnData): Promise<void> {
  const ended = new AbortController();
  const end = () => { ended.abort(); };
  stop.addEventListener('abort', end);
  let silence = setTimeout(end, silenceLimit);
  try {
    if (stop.aborted) return;
    const answer = await fetch(address, { headers: { Accept: 'text/event-stream' }, signal: ended.signal });
    // React Native cannot read bodies piece by piece. There, only polling finds changes.
    const reader = (await accepted(address, answer)).body?.getReader();
    const decoder = new TextDecoder();
    let text = '';
    let version: string | undefined;
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      clearTimeout(silence);
      silence = setTimeout(end, silenceLimit);
      const events = (text + decoder.decode(part.value, { stream: true })).split('\n\n');
      text = events.pop() ?? '';
      const announced = events.map((event) => /^event: definitions\ndata: (.*)$/.exec(event)?.[1]).filter(Boolean).pop();
      if (announced) ({ version } = JSON.parse(announced) as { version: string });
      if (version !== undefined) onData(version, announced !== undefined);
    }
  } finally {
    clearTimeout(silence);
    stop.removeEventListener('abort', end);
    end();
  }
}

/** Waits for a time in milliseconds, or until stop is aborted. */
function pause(ms: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    stop.addEventListener('abort', done);
    function done() {
      clearTimeout(timer);
      stop.removeEventListener('abort', done);
      resolve();
    }
    if (stop.aborted) done();
  });
}
