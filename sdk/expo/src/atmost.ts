/** Resolves with the promise's value, or with undefined if it takes longer or if signal is aborted before. */
export async function atMost<T>(ms: number, promise: Promise<T>, signal?: AbortSignal): Promise<T | undefined> {
  let end = (): void => undefined;
  const ended = new Promise<undefined>((resolve) => {
    end = () => {
      resolve(undefined);
    };
  });
  const timer = setTimeout(end, ms);
  signal?.addEventListener('abort', end);
  try {
    return await Promise.race([promise, ended]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}
