import { Link } from "@tanstack/react-router";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { useRefusal } from "@/api/access";
import type { Schemas } from "@/api/client";
import { useProject } from "@/api/project";
import { releaseName, releaseNumber } from "@/format/releaseName";
import { Button } from "@/ui/Button";
import { DangerDialog } from "@/ui/DangerDialog";
import { Empty } from "@/ui/Empty";
import { Table, type Column } from "@/ui/Table";
import { Time } from "@/ui/Time";
import type { ServerList } from "@/ui/useList";
import { strings as frame } from "@/strings";
import { strings } from "./strings";

type Branch = Schemas["Branch"];

/** Lists the branches with the newest release for each platform and runtime version. */
export function BranchTable({ query, branches }: { query: { list: ServerList; more: (() => void) | undefined }; branches: Branch[] }) {
  const { slug: project } = useProject();
  const refusal = useRefusal("editor");
  const [removes, setRemoves] = useState<string | null>(null);
  const { columns } = strings;
  const table: Column<Branch>[] = [
    {
      id: "branch",
      field: "name",
      header: columns.branchName,
      width: "minmax(6rem, 1fr)",
      cell: (row) => <span className="block truncate font-medium">{row.name}</span>,
    },
    {
      id: "newest",
      header: columns.newest,
      width: "minmax(9rem, 2fr)",
      cell: (row) =>
        row.latestUpdates.length === 0 ? (
          <span className="text-faint">{strings.none}</span>
        ) : (
          row.latestUpdates.map((release) => (
            <Link
              key={release.id}
              to="/$project/releases/$id"
              params={{ project, id: String(release.id) }}
              className="block truncate text-xs/6 text-link hover:underline"
            >
              {[releaseName(release), frame.platforms[release.platform], releaseNumber(release.id)].join(" · ")}
            </Link>
          ))
        ),
    },
    {
      id: "followed",
      header: columns.followed,
      width: "minmax(6rem, 1fr)",
      secondary: true,
      cell: ({ channels }) => <span className={channels.length ? "block truncate" : "text-faint"}>{channels.join(", ") || strings.noChannel}</span>,
    },
    { id: "made", field: "createdAt", header: columns.made, width: "6rem", align: "right", secondary: true, cell: (row) => <Time at={row.createdAt} /> },
    {
      id: "actions",
      header: "",
      width: "2.25rem",
      align: "right",
      cell: (row) => (
        <Button
          command
          kind="quiet"
          size="sm"
          aria-label={`${strings.actions.remove} ${row.name}`}
          refusal={refusal}
          icon={<Trash2 size={14} aria-hidden />}
          onClick={() => setRemoves(row.name)}
        />
      ),
    },
  ];
  return (
    <>
      <Table
        label={strings.branches}
        rows={branches}
        columns={table}
        rowId={(branch) => branch.name}
        rowHeight={44}
        list={query.list}
        onMore={query.more}
        filter={{ label: strings.searchBranches }}
        empty={<Empty {...strings.empty.branches} />}
      />
      {removes && (
        <DangerDialog
          onClose={() => setRemoves(null)}
          title={`${strings.actions.remove}: ${removes}`}
          text={strings.actions.removeBranchText}
          confirm={strings.actions.remove}
          typeName={removes}
          done={strings.actions.done.remove.branch}
          run={(client) => client.DELETE("/v1/ota/branches/{name}", { params: { path: { name: removes } } })}
        />
      )}
    </>
  );
}
