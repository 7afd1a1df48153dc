import { Copy } from "./Copy";

/** A command line to copy. */
export function Command({ line }: { line: string }) {
  return (
    <div className="flex max-w-full items-center gap-1 rounded-md border bg-canvas py-0.5 pr-0.5 pl-3">
      <code className="min-w-0 flex-1 py-1 text-left font-mono text-xs wrap-anywhere">
        {line}
      </code>
      <Copy text={line} />
    </div>
  );
}
