/** The keys of sent requests, by the key of their series and their content. The oldest are forgotten. */
const keys = new Map<string, string>();
const remembered = 200;

/**
 * Gives each different request of a series its own idempotency key. A form keeps the key of its series until its change succeeds or is
 * refused. If a person repeats the request after an outage, it has the same key and is applied only once. If they edit the form in
 * between, the request is a different one: with the same key, the server would refuse it as `idempotency_mismatch`.
 */
export async function exactKey(request: Request): Promise<void> {
  const series = request.headers.get("Idempotency-Key");
  if (series === null) return;
  const content = [series, request.method, request.url, await request.clone().text()].join("\n");
  const key = keys.get(content) ?? crypto.randomUUID();
  keys.set(content, key);
  const oldest = keys.keys().next().value;
  if (keys.size > remembered && oldest !== undefined) keys.delete(oldest);
  request.headers.set("Idempotency-Key", key);
}
