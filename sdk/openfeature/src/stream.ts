import type { Settings } from './options.js';
import { accepted, backoff, failure } from './request.js';

/** Maximum time without data on a stream, in milliseconds. The server sends something every 15 seconds. */
const silenceLimit = 45_000;

/** A stream that was open for this many milliseconds counts as successful, which resets the backoff. */
const steady = 10_000;

/** Maximum time between two attempts to open the stream, in milliseconds. */
const longestWait = 60_000;

/**
 * Calls onVersion for each version of the definitions until stop is aborted. Opens the stream again whenever it ends.
 * Never rejects.
 */
export async function follow(settings: Settings, stop: AbortSignal, onVersion: (version: string) => void): Promise<void> {
  const { url, project, channel } = settings;
  const address = `${url}/v1/ota/flag-stream/${encodeURIComponent(project)}?channel=${encodeURIComponent(channel)}&definitions=true`;
  for (let failures = 1; !stop.aborted; failures++) {
    let waitMs = 0;
    const stream = { isLive: false };
    const opened = performance.now();
    try {
      await readStream(address, stop, (version) => {
        stream.isLive = true;
        onVersion(version);
      });
    } catch (error) {
      ({ waitMs } = failure(address, error));
    }
    if (stream.isLive && performance.now() - opened >= steady) failures = 1;
    await pause(backoff(failures, longestWait, waitMs), stop);
  }
}

/** Reads the stream until it ends. */
async function readStream(address: string, stop: AbortSignal, onVersion: (version: string) => void): Promise<void> {
  const ended = new AbortController();
  const end = () => { ended.abort(); };
  stop.addEventListener('abort', end);
  let silence = setTimeout(end, silenceLimit);
  try {
    if (stop.aborted) return;
    const answer = await fetch(address, { headers: { Accept: 'text/event-stream' }, signal: ended.signal });
    // React Native cannot read bodies piece by piece. There, only polling finds changes.
    const reader = accepted(address, answer).body?.getReader();
    const decoder = new TextDecoder();
    let text = '';
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      clearTimeout(silence);
      silence = setTimeout(end, silenceLimit);
      const events = (text + decoder.decode(part.value, { stream: true })).split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const data = /^event: definitions\ndata: (.*)$/.exec(event)?.[1];
        if (data) onVersion((JSON.parse(data) as { version: string }).version);
      }
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
