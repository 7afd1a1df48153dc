import { useId, type ReactNode } from "react";
import { strings } from "@/strings";
import { Age } from "./Age";
import { cx } from "./cx";
import { Failure } from "./Failure";
import { Outdated } from "./Outdated";

/** The part of a query result that a panel needs. TanStack's query results satisfy it. */
export interface PanelQuery<T> {
  data: T | undefined;
  error: unknown;
  dataUpdatedAt: number;
  refetch: () => unknown;
  /** True if the data may have changed and is refetched only on request. */
  isOutdated?: boolean;
  isRefetching?: boolean;
}

interface Props<T> {
  title: string;
  /** Controls to the right of the title. */
  actions?: ReactNode;
  query?: PanelQuery<T>;
  /** Reports whether the data is empty. Then `empty` is shown instead. */
  isEmpty?: (data: T) => boolean;
  empty?: ReactNode;
  /** The content, or with a query a function that renders its data. */
  children: ReactNode | ((data: T) => ReactNode);
  /** Removes the padding, for tables. */
  flush?: boolean;
  /** Height of the placeholder while the data loads, so that the page does not jump. */
  placeholder?: string;
  className?: string;
}

/**
 * A titled region for the data of one query. Shows a placeholder while it loads, and the error with a retry button if it fails. If a
 * refetch fails, keeps the last data with a line above it. Also shows the data's age.
 */
export function Panel<T>(props: Props<T>) {
  const id = useId();
  const { query } = props;
  return (
    <section aria-labelledby={id} className={cx("min-w-0 overflow-clip rounded-lg border bg-panel", props.className)}>
      <header className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b px-3 py-1.5">
        <h2 id={id} className="font-medium">
          {props.title}
        </h2>
        {/* The row starts at the title, so that controls do not move when the age appears. */}
        <div className="flex max-w-full min-w-0 grow flex-wrap items-center justify-end gap-2">
          {query && <Age at={query.dataUpdatedAt} />}
          {query?.isOutdated && <Outdated isBusy={Boolean(query.isRefetching)} onLoad={() => void query.refetch()} />}
          {props.actions}
        </div>
      </header>
      {query?.error != null && query.data !== undefined && <Failure slim error={query.error} onRetry={() => void query.refetch()} />}
      <div className={cx(!props.flush && "p-3")}>{body(props)}</div>
    </section>
  );
}

function body<T>({ query, isEmpty, empty, children, placeholder = "h-32" }: Props<T>): ReactNode {
  if (!query) return typeof children === "function" ? null : children;
  if (query.data === undefined) {
    if (query.error != null) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
    return <Placeholder className={placeholder} />;
  }
  if (empty && isEmpty?.(query.data)) return empty;
  return typeof children === "function" ? children(query.data) : children;
}

/** Shows grey lines while data loads. */
export function Placeholder({ className }: { className?: string }) {
  return (
    <div role="status" aria-label={strings.panel.loading} className={cx("flex flex-col gap-2 p-3", className)}>
      <div className="h-3 w-1/3 animate-pulse rounded bg-selected" />
      <div className="h-3 w-2/3 animate-pulse rounded bg-selected" />
      <div className="h-3 w-1/2 animate-pulse rounded bg-selected" />
    </div>
  );
}
