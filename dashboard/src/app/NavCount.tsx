import { count } from "@/format/format";
import { cx } from "@/ui/cx";

interface Props {
  waiting: number;
  of: string | undefined;
  className?: string;
}

/** Shows how many records on a page wait for the person. Shows nothing for 0. */
export function NavCount({ waiting, of, className }: Props) {
  if (waiting === 0) return null;
  return (
    <span className={cx("ml-auto rounded-full bg-bad-soft px-1.5 text-2xs font-medium text-bad", className)}>
      {count(waiting)}
      {of && <span className="sr-only"> {of}</span>}
    </span>
  );
}
