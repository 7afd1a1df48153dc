import { asProblem } from "@/api/problem";
import { strings } from "@/strings";
import { Button } from "./Button";
import { Coded } from "./Coded";
import { cx } from "./cx";

interface Props {
  error: unknown;
  onRetry?: () => void;
  /** Shows a single line, for use above data that is kept. */
  slim?: boolean;
  /** What failed. Defaults to loading. */
  title?: string;
}

/** Shows a failed request: the error's detail, the request ID, and a button to try again. */
export function Failure({ error, onRetry, slim, title = slim ? strings.panel.failedKeepsData : strings.panel.failed }: Props) {
  const problem = asProblem(error);
  return (
    <div
      role="alert"
      className={cx("flex flex-wrap items-center gap-x-3 gap-y-1 text-sm", slim ? "border-b bg-warn-soft px-3 py-1.5" : "justify-center px-4 py-8 text-center")}
    >
      <span className={cx("font-medium", slim ? "text-warn" : "w-full")}>{title}</span>
      <span className={cx("min-w-0 break-words", slim ? "text-warn" : "w-full text-muted")}>
        <Coded text={problem.message} />
      </span>
      {problem.requestId && (
        <span className={cx("font-mono text-2xs break-all", slim ? "text-warn" : "w-full text-faint")}>
          {strings.panel.requestId} {problem.requestId}
        </span>
      )}
      {onRetry && (
        <Button size="sm" onClick={onRetry}>
          {strings.panel.retry}
        </Button>
      )}
    </div>
  );
}
