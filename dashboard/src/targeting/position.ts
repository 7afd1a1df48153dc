import { number } from "@/format/format";
import { strings } from "./strings";

const text = strings.explanation;
const perPercent = 1000;

/**
 * Returns why a context is inside or outside a split, from its bucket, 0 to 99999, and the end of the share: Not in the 5%: its
 * position is 81.5%.
 */
export function positionSentence({ bucket, threshold }: { bucket: number; threshold?: number }): string {
  const rounded = Math.round((bucket / perPercent) * 10) / 10;
  // Near the end of the share, a rounded position would contradict the sentence.
  const position = threshold !== undefined && rounded === threshold / perPercent ? String(bucket / perPercent) : number(rounded);
  if (threshold === undefined) return text.position(position);
  const share = number(threshold / perPercent);
  return bucket < threshold ? text.inside(share, position) : text.outside(share, position);
}
