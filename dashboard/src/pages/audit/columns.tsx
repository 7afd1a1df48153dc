import { AuditChanges } from "@/audit/AuditChanges";
import { AuditDetails } from "@/audit/AuditDetails";
import { AuditSentence } from "@/audit/AuditSentence";
import type { Schemas } from "@/api/client";
import type { Column } from "@/ui/Table";
import { Time } from "@/ui/Time";
import { strings } from "./strings";

type Entry = Schemas["AuditEntry"];

export const columns: Column<Entry>[] = [
  { id: "at", field: "createdAt", header: strings.columns.at, width: "6rem", cell: (entry) => <Time at={entry.createdAt} /> },
  {
    id: "what",
    field: "actorName",
    header: strings.columns.what,
    width: "minmax(12rem, 1fr)",
    cell: (entry) => (
      <div className="min-w-0 break-words">
        <AuditSentence entry={entry} />
        <AuditChanges entry={entry} />
        <AuditDetails entry={entry} />
      </div>
    ),
  },
];
