import type { Schemas } from "@/api/client";
import type { Column } from "@/ui/Table";
import { Time } from "@/ui/Time";
import { strings } from "./strings";

type Entry = Schemas["AuditEntry"];

export const columns: Column<Entry>[] = [
  { id: "at", field: "createdAt", header: strings.columns.at, width: "6rem", cell: (entry) => <Time at={entry.createdAt} /> },
  {
    id: "who",
      field: "actorName",
    header: strings.columns.who,
    width: "minmax(6rem, 1fr)",
    secondary: true,
    cell: (entry) => <span className="block truncate font-medium">{entry.actorName}</span>,
  },
  {
    id: "what",
      field: "action",
    header: strings.columns.what,
    width: "minmax(8rem, 1.2fr)",
    cell: (entry) => (
      <div className="min-w-0">
        <code className="block truncate font-mono text-xs">{entry.action}</code>
        <p className="truncate text-xs text-muted md:hidden">{[entry.actorName, strings.of(entry.entityType, entry.entityId)].filter(Boolean).join(" · ")}</p>
      </div>
    ),
  },
  {
    id: "on",
      field: "entityType",
    header: strings.columns.on,
    width: "minmax(6rem, 1fr)",
    secondary: true,
    cell: (entry) => <span className="block truncate">{strings.of(entry.entityType, entry.entityId)}</span>,
  },
  {
    id: "details",
    header: strings.columns.details,
    width: "minmax(8rem, 2fr)",
    secondary: true,
    cell: (entry) => <Details entry={entry} />,
  },
];

function isChange(value: unknown): value is { before: unknown; after: unknown } {
  return typeof value === "object" && value !== null && "before" in value && "after" in value;
}

function inWords(value: unknown): string {
  if (Array.isArray(value)) return value.map(inWords).join(" ") || strings.nothing;
  if (value === null || value === undefined || value === "") return strings.nothing;
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Shows the details of a change in one line that expands. The reason comes first. */
function Details({ entry }: { entry: Entry }) {
  const line = Object.entries(entry.details)
    .toSorted(([a], [b]) => Number(b === "reason") - Number(a === "reason"))
    .map(([name, value]) => `${name}: ${isChange(value) ? `${inWords(value.before)} → ${inWords(value.after)}` : inWords(value)}`)
    .join(", ");
  if (!line && !entry.requestId) return null;
  return (
    <details className="min-w-0">
      <summary className="truncate text-xs text-muted">{line || strings.request}</summary>
      <pre tabIndex={0} aria-label={strings.details} className="mt-1 max-h-64 overflow-auto rounded-md border bg-canvas p-2 font-mono text-2xs whitespace-pre-wrap">
        {JSON.stringify(entry.details, null, 2)}
      </pre>
      {entry.requestId && (
        <p className="font-mono text-2xs break-all text-faint">
          {strings.request} {entry.requestId}
        </p>
      )}
    </details>
  );
}
