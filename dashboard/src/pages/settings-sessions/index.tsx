import { useState } from "react";
import type { Schemas } from "@/api/client";
import { useApi } from "@/api/project";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { DangerDialog } from "@/ui/DangerDialog";
import { ListPage } from "@/ui/ListPage";
import { SettingsPage } from "@/ui/SettingsPage";
import type { Column } from "@/ui/Table";
import { Time } from "@/ui/Time";
import { browserOf } from "./browser";
import { strings } from "./strings";

type Session = Schemas["Session"];

/** The list of the signed-in person's sessions, in all browsers. */
export default function SettingsSessions() {
  const query = useApi().useQuery("get", "/v1/auth/sessions");
  const [ends, setEnds] = useState<Session | null>(null);
  const columns: Column<Session>[] = [
    {
      id: "browser",
      header: strings.columns.browser,
      width: "minmax(9rem, 3fr)",
      value: (session) => session.userAgent,
      cell: (session) => (
        <div className="min-w-0">
          <p className="truncate font-medium" title={session.userAgent}>
            {browserOf(session.userAgent) || strings.unknown}
          </p>
          <p className="flex items-center gap-2 text-xs text-muted">
            {session.address} {session.isCurrent && <Badge tone="ok">{strings.current}</Badge>}
          </p>
        </div>
      ),
    },
    { id: "method", header: strings.columns.method, width: "7rem", secondary: true, value: (session) => session.method, cell: (session) => strings.methods[session.method] },
    { id: "seen", header: strings.columns.seen, width: "6rem", value: (session) => session.lastSeenAt, cell: (session) => <Time at={session.lastSeenAt} /> },
    { id: "ends", header: strings.columns.ends, width: "6rem", secondary: true, value: (session) => session.expiresAt, cell: (session) => <Time at={session.expiresAt} /> },
    {
      id: "end",
      header: "",
      width: "4rem",
      align: "right",
      cell: (session) =>
        !session.isCurrent && (
          <Button size="sm" command aria-label={strings.endOf(browserOf(session.userAgent) || strings.unknown)} onClick={() => setEnds(session)}>
            {strings.end}
          </Button>
        ),
    },
  ];
  return (
    <ListPage frame={SettingsPage} strings={strings} query={query} columns={columns} rowHeight={48} placeholder="h-40">
      {ends && (
        <DangerDialog
          onClose={() => setEnds(null)}
          title={strings.endOf(browserOf(ends.userAgent) || strings.unknown)}
          text={strings.endText}
          confirm={strings.end}
          done={strings.done}
          run={(client) => client.DELETE("/v1/auth/sessions/{id}", { params: { path: { id: ends.id } } })}
        />
      )}
    </ListPage>
  );
}
