import type { Schemas } from "@/api/client";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import type { Column } from "@/ui/Table";
import { Time } from "@/ui/Time";
import { strings } from "./strings";

type Key = Schemas["APIKey"];

export function columns(refusal: string | null, onRevoke: (key: Key) => void): Column<Key>[] {
  const text = strings.columns;
  return [
    {
      id: "name",
      field: "name",
      header: text.name,
      width: "minmax(8rem, 2fr)",
      cell: (key) => (
        <div className="min-w-0">
          <p className="truncate font-medium">{key.name}</p>
          <p className="truncate font-mono text-2xs text-muted">
            {key.prefix}
            {key.channels && ` · ${strings.channels(key.channels.join(", "))}`}
          </p>
        </div>
      ),
    },
    { id: "role", field: "role", header: text.role, width: "5rem", cell: (key) => strings.roles[key.role] },
    { id: "used", field: "lastUsedAt", header: text.used, width: "7rem", secondary: true, cell: (key) => <Time at={key.lastUsedAt} /> },
    {
      id: "expires",
      field: "expiresAt",
      header: text.expires,
      width: "7rem",
      secondary: true,
      cell: (key) => (key.revokedAt ? <Badge tone="bad">{strings.revoked}</Badge> : key.expiresAt ? <Time at={key.expiresAt} /> : strings.never),
    },
    { id: "made", field: "createdAt", header: text.made, width: "7rem", secondary: true, cell: (key) => <Time at={key.createdAt} /> },
    {
      id: "revoke",
      header: "",
      width: "5rem",
      align: "right",
      cell: (key) =>
        key.revokedAt === null && (
          <Button size="sm" command refusal={refusal} aria-label={strings.revokeOf(key.name)} onClick={() => onRevoke(key)}>
            {strings.revoke}
          </Button>
        ),
    },
  ];
}
