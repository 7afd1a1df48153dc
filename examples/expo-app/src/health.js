import { Platform } from 'react-native';

import { device, isLive, server } from './config';

const flushAfterMs = 1000;
const lastWordsMs = 2000;
const attempts = 5;

const waiting = new Map();
let timer = null;
let reports = 0;

/** Reports the launch, and from here on every error that nothing else catches. */
export function startHealthReports() {
  const previous = ErrorUtils.getGlobalHandler();
  ErrorUtils.setGlobalHandler((error, isFatal) => {
    reportError(error, { isFatal });
    if (!isFatal) {
      previous?.(error, isFatal);
      return;
    }
    // In a release build the next handler ends the process. The report gets a moment to leave before.
    const patience = new Promise((resolve) => setTimeout(resolve, lastWordsMs));
    Promise.race([flush(), patience]).finally(() => previous?.(error, isFatal));
  });

  enqueue({ type: 'app_launch' });
}

/** Queues an error: `crash` when the app cannot go on, else `js_error`. */
export function reportError(error, { isFatal = false, componentStack } = {}) {
  enqueue({
    type: isFatal ? 'crash' : 'js_error',
    errorName: error?.name ?? 'Error',
    message: String(error?.message ?? error),
    stackTrace: error?.stack,
    componentStack,
    isFatal,
  });
}

function enqueue(event) {
  // The same error again within a report only raises its count.
  const key = `${event.type}\n${event.errorName}\n${event.message}`;
  const known = waiting.get(key);
  if (known) {
    known.count += 1;
  } else {
    waiting.set(key, { ...event, count: 1 });
  }
  timer ??= setTimeout(flush, flushAfterMs);
}

async function flush() {
  clearTimeout(timer);
  timer = null;
  const events = [...waiting.values()];
  waiting.clear();
  if (!isLive || events.length === 0) {
    return;
  }

  const { baseUrl, projectSlug } = server;
  reports += 1;
  const request = {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      // A report whose answer was lost is sent again and must not count twice.
      'idempotency-key': `${device.deviceId}-${Date.now()}-${reports}`,
    },
    body: JSON.stringify({ projectSlug, platform: Platform.OS, ...device, events }),
  };
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const answer = await fetch(`${baseUrl}/v1/ota/health-metrics`, request).catch(() => null);
    // Only a server that is out of reach, busy or away is worth another try.
    if (answer && answer.status !== 429 && answer.status < 500) {
      return;
    }
    const seconds = Number(answer?.headers.get('retry-after')) || 2 ** attempt;
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
}
