import { asProblem } from "@/api/problem";
import { strings } from "@/strings";
import { Button } from "./Button";
import { cx } from "./cx";

/** A request that failed: its detail, the request id and a way to repeat it. `slim` is the line above data that is kept. */
export function Failure({ error, onRetry, slim }: { error: unknown; onRetry?: () => void; slim?: boolean }) {
  const problem = asProblem(error);
  return (
    <div
      role="alert"
      className={cx("flex flex-wrap items-center gap-x-3 gap-y-1 text-sm", slim ? "border-b bg-warn-soft px-3 py-1.5" : "justify-center px-4 py-8 text-center")}
    >
      <span className={cx("font-medium", slim ? "text-warn" : "w-full")}>{slim ? strings.panel.failedKeepsData : strings.panel.failed}</span>
      <span className={cx("min-w-0 break-words", slim ? "text-warn" : "w-full text-muted")}>{problem.message}</span>
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
