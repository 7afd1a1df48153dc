import { compact } from "@/format/format";
import { cx } from "@/ui/cx";

/** Shows how many records on a page wait for the person. Shows nothing for 0. */
export function NavCount({ count, of, className }: { count: number; of: string | undefined; className?: string }) {
  if (count === 0) return null;
  return (
    <span className={cx("ml-auto rounded-full bg-bad-soft px-1.5 text-2xs font-medium text-bad", className)}>
      {compact(count)}
      {of && <span className="sr-only"> {of}</span>}
    </span>
  );
}
