import { useState } from "react";
import type { Schemas } from "@/api/client";
import { Button } from "@/ui/Button";
import { DangerDialog } from "@/ui/DangerDialog";
import { Table, type Column } from "@/ui/Table";
import { Time } from "@/ui/Time";
import { strings } from "./strings";

type Invitation = Schemas["Invitation"];

/** Lists the open invitations. */
export function InvitationTable({ invitations }: { invitations: Invitation[] }) {
  const [withdraws, setWithdraws] = useState<Invitation | null>(null);
  const columns: Column<Invitation>[] = [
    { id: "email", header: strings.columns.name, width: "minmax(8rem, 2fr)", value: (each) => each.email, cell: (each) => <span className="block truncate">{each.byMail && !each.sentAt ? `${each.email} · ${strings.waitsForMail}` : each.email}</span> },
    { id: "role", header: strings.columns.role, width: "5rem", value: (each) => each.role, cell: (each) => strings.roles[each.role] },
    { id: "by", header: strings.columns.by, width: "8rem", secondary: true, value: (each) => each.invitedBy, cell: (each) => <span className="block truncate">{each.invitedBy}</span> },
    { id: "expires", header: strings.columns.expires, width: "7rem", secondary: true, value: (each) => each.expiresAt, cell: (each) => <Time at={each.expiresAt} /> },
    {
      id: "withdraw",
      header: "",
      width: "6rem",
      align: "right",
      cell: (each) => (
        <Button size="sm" aria-label={strings.withdrawOf(each.email)} onClick={() => setWithdraws(each)}>
          {strings.withdraw}
        </Button>
      ),
    },
  ];
  return (
    <>
      <Table label={strings.invitations} rows={invitations} columns={columns} rowId={(each) => String(each.id)} sortParam="invitations" />
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
