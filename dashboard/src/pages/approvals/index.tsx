import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useRefusal } from "@/api/access";
import type { Schemas } from "@/api/client";
import { useProject } from "@/api/project";
import { useMe } from "@/app/session";
import { actorOf } from "@/audit/telling";
import { actorTitle } from "@/format/actions";
import { Button } from "@/ui/Button";
import { ListPage } from "@/ui/ListPage";
import { optionsOf, Select } from "@/ui/Select";
import type { Column } from "@/ui/Table";
import { Time } from "@/ui/Time";
import { usePageSearch } from "@/ui/usePageSearch";
import { useList } from "@/ui/useList";
import { ApprovalBadge } from "./ApprovalBadge";
import { ApproveDialog } from "./ApproveDialog";
import { strings } from "./strings";
import { hasApproved, isRequester } from "./verdictsOf";

type Approval = Schemas["ApprovalSummary"];

/** The list of approvals, pending and decided. */
export default function Approvals() {
  const { slug } = useProject();
  const editor = useRefusal("editor");
  const user = useMe().data?.user;
  const [approves, setApproves] = useState<number | null>(null);
  const [view, setView] = usePageSearch("/$project/approvals");
  const query = useList<Approval>("/v1/ota/approvals", { status: view.status || undefined });
  const control = (
    <Select
      label={strings.status}
      value={view.status}
      onChange={(status) => setView({ status })}
      options={[{ value: "", label: strings.any }, ...optionsOf(strings.statuses)]}
    />
  );
  // The button is next to the status, so that a person who is on call approves from a phone too.
  const status: Column<Approval> = {
    id: "status",
    field: "status",
    header: strings.columns.status,
    width: "minmax(6.5rem, 1fr)",
    cell: (row) => (
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <ApprovalBadge status={row.status} />
        {row.status === "pending" && !isRequester(row, user) && !hasApproved(row, user) && (
          <Button size="sm" command={strings.approveOf(row.summary)} aria-label={strings.approveOf(row.summary)} refusal={editor} onClick={() => setApproves(row.id)}>
            {strings.approve}
          </Button>
        )}
      </div>
    ),
  };
  return (
    <ListPage strings={strings} query={query} columns={columns(slug, status)} rowHeight={48} controls={control} isFiltered={Boolean(view.status)}>
      {approves !== null && <ApproveDialog id={approves} onClose={() => setApproves(null)} />}
    </ListPage>
  );
}

function columns(project: string, status: Column<Approval>): Column<Approval>[] {
  const text = strings.columns;
  return [
    {
      id: "change",
      field: "summary",
      header: text.change,
      width: "minmax(10rem, 3fr)",
      cell: (row) => (
        <div className="min-w-0">
          <Link to="/$project/approvals/$id" params={{ project, id: String(row.id) }} className="line-clamp-3 break-words hover:underline">
            {strings.asks(actorOf({ actorType: row.requestedBy.type, actorId: row.requestedBy.id, actorName: row.requestedBy.name }), row.summary)}
          </Link>
          <p className="line-clamp-2 text-xs break-words text-muted">
            {row.reason ? strings.reason(row.reason) : strings.affects(row.channels.join(", "))}
          </p>
        </div>
      ),
    },
    status,
    { id: "by", field: "requestedBy", header: text.by, width: "minmax(6rem, 1fr)", secondary: true, cell: (row) => <span className="block truncate">{actorTitle(row.requestedBy.name)}</span> },
    {
      id: "approvals",
      header: text.approvals,
      width: "6rem",
      align: "right",
      secondary: true,
      cell: (row) => strings.of(row.approvals.length, row.requiredApprovals),
    },
    { id: "expires", field: "expiresAt", header: text.expires, width: "6rem", align: "right", secondary: true, cell: (row) => <Time at={row.endedAt ?? row.expiresAt} /> },
    { id: "made", field: "createdAt", header: text.made, width: "6rem", align: "right", secondary: true, cell: (row) => <Time at={row.createdAt} /> },
  ];
}
