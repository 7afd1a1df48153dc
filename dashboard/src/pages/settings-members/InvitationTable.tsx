import { useState } from "react";
import type { Schemas } from "@/api/client";
import { actorTitle } from "@/format/actions";
import { Button } from "@/ui/Button";
import { DangerDialog } from "@/ui/DangerDialog";
import { Panel } from "@/ui/Panel";
import { Table, type Column } from "@/ui/Table";
import { Time } from "@/ui/Time";
import { useList } from "@/ui/useList";
import { strings } from "./strings";

type Invitation = Schemas["Invitation"];

/** Lists the open invitations. */
export function Invitations() {
  const query = useList<Invitation>("/v1/ota/invitations", {}, { searchParam: "invitation", sortParam: "invitations" });
  const [withdraws, setWithdraws] = useState<Invitation | null>(null);
  const columns: Column<Invitation>[] = [
    { id: "email", field: "email", header: strings.columns.name, width: "minmax(8rem, 2fr)", cell: (each) => <span className="block truncate">{each.byMail && !each.sentAt ? `${each.email} · ${strings.waitsForMail}` : each.email}</span> },
    { id: "role", field: "role", header: strings.columns.role, width: "5rem", cell: (each) => strings.roles[each.role] },
    { id: "by", field: "invitedBy", header: strings.columns.by, width: "8rem", secondary: true, cell: (each) => <span className="block truncate">{actorTitle(each.invitedBy)}</span> },
    { id: "expires", field: "expiresAt", header: strings.columns.expires, width: "7rem", secondary: true, cell: (each) => <Time at={each.expiresAt} /> },
    {
      id: "withdraw",
      header: "",
      width: "6rem",
      align: "right",
      cell: (each) => (
        <Button size="sm" command aria-label={strings.withdrawOf(each.email)} onClick={() => setWithdraws(each)}>
          {strings.withdraw}
        </Button>
      ),
    },
  ];
  return (
    <>
      <Panel title={strings.invitations} query={query} flush>
        {(rows) => (
          <Table
            label={strings.invitations}
            rows={rows}
            columns={columns}
            rowId={(each) => String(each.id)}
            list={query.list}
            onMore={query.more}
            empty={<p className="p-3 text-muted">{strings.none}</p>}
          />
        )}
      </Panel>
      {withdraws && (
        <DangerDialog
          onClose={() => setWithdraws(null)}
          title={strings.withdrawOf(withdraws.email)}
          text={strings.withdrawText}
          confirm={strings.withdraw}
          done={strings.done.withdrawn}
          run={(client) => client.DELETE("/v1/ota/invitations/{id}", { params: { path: { id: withdraws.id } } })}
        />
      )}
    </>
  );
}
