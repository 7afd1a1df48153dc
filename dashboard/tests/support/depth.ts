export interface Span {
  start: number;
  end: number;
}

/**
 * How many requests had to wait for an answer, one after another: one that starts after another's answer counts as asked
 * because of it. 0 when all start before the first answer.
 */
export function depthOf(spans: Span[]): number {
  const depths = new Map<Span, number>();
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const before = [...depths].filter(([other]) => other.end <= span.start).map(([, depth]) => depth + 1);
    depths.set(span, Math.max(0, ...before));
  }
  return Math.max(0, ...depths.values());
}
