import type { Outcome } from './flag.js';
import type { Settings } from './options.js';
import { type RequestError, request, spread } from './request.js';

/** Milliseconds between two reports. */
const interval = 30_000;

// Limits of the server for a report. When a page is left, browsers send at most 64 KiB.
const mostEntries = 500;
const mostBytes = 48 * 1024;
const mostCount = 1_000_000;
const longestKey = 256;

/** Maximum number of entries with a targeting key. Further evaluations are counted without one. */
const mostNamed = 5000;

/** The number of evaluations of a flag with a value for a targeting key. */
interface Entry {
  readonly flagKey: string;
  readonly outcome: Outcome;
  /** '' for all evaluations without a targeting key. */
  readonly targetingKey: string;
  readonly kind: string | undefined;
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly lastEvaluatedAt: number;
}

/**
 * Counts evaluations and reports the counts. A report that the server certainly did not accept is sent again. If the
 * response is lost, the report is not sent again, so that evaluations do not count twice.
 */
export class Reporter {
  private entries = new Map<Outcome, Map<string, Entry>>();
  private named = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The reports that are being sent. */
  private sending: Promise<void> | undefined;
  /** The time before which the server refuses reports, in milliseconds since 1970. */
  private notBefore = 0;

  constructor(private readonly settings: Settings) {}

  /**
   * Starts to report at an interval.
   * @param isReachable - Returns true if the server responds. Reports wait until it does.
   */
  start(isReachable: () => boolean): void {
    this.timer = setTimeout(() => {
      if (isReachable() && Date.now() >= this.notBefore) void this.flush();
      this.start(isReachable);
    }, interval * spread());
  }

  /** Reports the remaining counts, and stops. */
  async stop(): Promise<void> {
    clearTimeout(this.timer);
    await this.sending;
    await this.flush();
  }

  /** Counts an evaluation. */
  count(flagKey: string, outcome: Outcome, targetingKey: string, kind: string | undefined): void {
    this.add({ flagKey, outcome, targetingKey: isReportable(targetingKey) ? targetingKey : '', kind, count: 1, lastEvaluatedAt: Date.now() });
  }

  /** Reports the counts. Never rejects. */
  flush(): Promise<void> {
    this.sending ??= this.send().finally(() => {
      this.sending = undefined;
    });
    return this.sending;
  }

  private add(entry: Entry): void {
    let byKey = this.entries.get(entry.outcome);
    if (!byKey) this.entries.set(entry.outcome, (byKey = new Map<string, Entry>()));
    let { targetingKey, kind } = entry;
    let known = byKey.get(targetingKey);
    if (!known && targetingKey !== '' && this.named++ >= mostNamed) {
      targetingKey = '';
      known = byKey.get('');
    }
    if (targetingKey === '') kind = undefined;
    const count = entry.count + (known?.count ?? 0);
    const lastEvaluatedAt = Math.max(entry.lastEvaluatedAt, known?.lastEvaluatedAt ?? 0);
    byKey.set(targetingKey, { ...entry, targetingKey, kind, count, lastEvaluatedAt });
  }

  private async send(): Promise<void> {
    const entries = [...this.entries.values()].flatMap((byKey) => [...byKey.values()]);
    this.entries = new Map();
    this.named = 0;
    while (entries.length > 0) {
      const { body, taken } = this.report(entries);
      try {
        const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body, keepalive: true };
        await request(`${this.settings.url}/v1/ota/flag-evaluations`, init, () => undefined);
        entries.splice(0, taken);
      } catch (error) {
        const { refused, waitMs } = error as RequestError;
        this.notBefore = Date.now() + waitMs;
        for (const entry of refused ? entries : entries.slice(taken)) this.add(entry);
        return;
      }
    }
  }

  /** Returns a report with the first entries, and the number of entries in it. */
  private report(entries: Entry[]): { body: string; taken: number } {
    const { project: projectSlug, channel } = this.settings;
    const evaluations: object[] = [];
    let bytes = 0;
    let taken = 0;
    for (const { flagKey, outcome, targetingKey, kind, count, lastEvaluatedAt } of entries) {
      const evaluation = {
        flagKey,
        value: outcome.value,
        lastEvaluatedAt: new Date(lastEvaluatedAt).toISOString(),
        ...(targetingKey && { targetingKey }),
        ...(kind && { context: { kind } }),
      };
      bytes += new TextEncoder().encode(JSON.stringify(evaluation)).length;
      const parts = Math.ceil(count / mostCount);
      if (taken > 0 && (bytes > mostBytes || evaluations.length + parts > mostEntries)) break;
      for (let rest = count; rest > 0; rest -= mostCount) evaluations.push({ ...evaluation, count: Math.min(rest, mostCount) });
      taken++;
    }
    return { body: JSON.stringify({ projectSlug, channel, evaluations }), taken };
  }
}

/** Returns true if the server accepts the targeting key in a report. */
function isReportable(key: string): boolean {
  return key.trim() !== '' && !/\p{Cc}/u.test(key) && new TextEncoder().encode(key).length <= longestKey;
}
