import { Link } from "@tanstack/react-router";
import { usePages } from "@/api/pages";
import type { Schemas } from "@/api/client";
import { useProject } from "@/api/project";
import { sentence } from "@/format/format";
import { ListPage } from "@/ui/ListPage";
import { Select } from "@/ui/Select";
import type { Column } from "@/ui/Table";
import { Time } from "@/ui/Time";
import { useUrlState } from "@/ui/useUrlState";
import { ApprovalBadge } from "./ApprovalBadge";
import { strings } from "./strings";

type Approval = Schemas["ApprovalSummary"];

/** The list of approvals, pending and decided. */
export default function Approvals() {
  const { slug } = useProject();
  const [view, setView] = useUrlState({ status: "" });
  const query = usePages<Approval>("/v1/ota/approvals", { status: view.status || undefined });
  const control = (
    <Select
      label={strings.status}
      value={view.status}
      onChange={(status) => setView({ status })}
      options={[{ value: "", label: strings.any }, ...Object.entries(strings.statuses).map(([value, label]) => ({ value, label }))]}
    />
  );
  return (
    <ListPage strings={strings} query={query} columns={columns(slug)} rowHeight={48} controls={control} isFiltered={Boolean(view.status)} />
  );
}

function columns(project: string): Column<Approval>[] {
  const text = strings.columns;
  return [
    {
      id: "change",
      header: text.change,
      width: "minmax(10rem, 3fr)",
      value: (row) => row.summary,
      cell: (row) => (
        <div className="min-w-0">
          <Link to="/$project/approvals/$id" params={{ project, id: String(row.id) }} className="line-clamp-2 font-medium break-words hover:underline">
            {sentence(row.summary)}
          </Link>
          <p className="truncate text-xs text-muted">{row.channels.join(", ")}</p>
        </div>
      ),
    },
    { id: "status", header: text.status, width: "7rem", value: (row) => strings.statuses[row.status], cell: (row) => <ApprovalBadge status={row.status} /> },
    { id: "by", header: text.by, width: "minmax(6rem, 1fr)", secondary: true, value: (row) => row.requestedBy.name, cell: (row) => <span className="block truncate">{row.requestedBy.name}</span> },
    {
      id: "approvals",
      header: text.approvals,
      width: "6rem",
      align: "right",
      secondary: true,
      value: (row) => row.approvals.length,
      cell: (row) => strings.of(row.approvals.length, row.requiredApprovals),
    },
    { id: "expires", header: text.expires, width: "6rem", align: "right", secondary: true, value: (row) => row.endedAt ?? row.expiresAt, cell: (row) => <Time at={row.endedAt ?? row.expiresAt} /> },
    { id: "made", header: text.made, width: "6rem", align: "right", secondary: true, value: (row) => row.createdAt, cell: (row) => <Time at={row.createdAt} /> },
  ];
}
