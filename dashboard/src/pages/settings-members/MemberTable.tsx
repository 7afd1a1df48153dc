import { useState } from "react";
import { useChange } from "@/api/change";
import type { Schemas } from "@/api/client";
import { Button } from "@/ui/Button";
import { DangerDialog } from "@/ui/DangerDialog";
import { Select } from "@/ui/Select";
import { Table, type Column } from "@/ui/Table";
import { Time } from "@/ui/Time";
import type { useList } from "@/ui/useList";
import { MemberKeys } from "./MemberKeys";
import { strings } from "./strings";

type Member = Schemas["Member"];
type Role = Member["role"];
const roles: Role[] = ["viewer", "editor", "admin"];

/** Lists the members. Admins can change roles in the table. */
export function MemberTable({ query, members, refusal }: { query: ReturnType<typeof useList<Member>>; members: Member[]; refusal: string | null }) {
  const [removes, setRemoves] = useState<Member | null>(null);
  const [removed, setRemoved] = useState<Member | null>(null);
  const change = useChange<{ id: number; role: Role }, unknown>({
    run: (client, { id, role }): Promise<{ data?: unknown }> => client.PATCH("/v1/ota/members/{id}", { params: { path: { id } }, body: { role } }),
    done: strings.done.role,
    toastErrors: true,
  });
  const fixed = (member: Member) => refusal ?? (member.source === "groups" ? strings.byGroups : member.source === "owner" ? strings.isOwner : null);
  const columns: Column<Member>[] = [
    {
      id: "name",
      field: "name",
      header: strings.columns.name,
      width: "minmax(8rem, 2fr)",
      cell: (member) => (
        <div className="min-w-0">
          <p className="font-medium break-words">{member.name}</p>
          <p className="text-xs break-all text-muted sm:truncate" title={member.email}>{[member.email, strings.sources[member.source]].filter(Boolean).join(" · ")}</p>
          {!member.emailVerified && (
            <p className="text-xs text-warn">{strings.unverified}</p>
          )}
        </div>
      ),
    },
    {
      id: "role",
      field: "role",
      header: strings.columns.role,
      width: "7rem",
      cell: (member) =>
        fixed(member) ? (
          <span title={fixed(member) ?? undefined}>{strings.roles[member.role]}</span>
        ) : (
          <Select
            label={strings.roleOf(member.name)}
            value={member.role}
            onChange={(role) => change.mutate({ id: member.id, role: role as Role })}
            options={roles.map((each) => ({ value: each, label: strings.roles[each] }))}
          />
        ),
    },
    { id: "since", field: "createdAt", header: strings.columns.since, width: "7rem", secondary: true, cell: (member) => <Time at={member.createdAt} /> },
    {
      id: "remove",
      header: "",
      width: "5.5rem",
      align: "right",
      cell: (member) => (
        <Button size="sm" command refusal={fixed(member)} aria-label={strings.removeOf(member.name)} onClick={() => setRemoves(member)}>
          {strings.remove}
        </Button>
      ),
    },
  ];
  return (
    <>
      <Table label={strings.members} rows={members} columns={columns} rowId={(member) => String(member.id)} rowHeight={48} list={query.list} onMore={query.more} filter={{ label: strings.search }} />
      {members.some((member) => !member.emailVerified) && (
        <p className="border-t px-3 py-2 text-xs text-muted">
          <span className="text-warn">{strings.unverified}</span>: {strings.unverifiedHint}
        </p>
      )}
      {removes && (
        <DangerDialog
          onClose={() => setRemoves(null)}
          title={strings.removeOf(removes.name)}
          text={strings.removeText}
          confirm={strings.remove}
          onDone={() => setRemoved(removes)}
          run={(client) => client.DELETE("/v1/ota/members/{id}", { params: { path: { id: removes.id } } })}
        />
      )}
      {removed && <MemberKeys member={removed} onClose={() => setRemoved(null)} />}
    </>
  );
}
