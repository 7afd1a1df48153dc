import { useApi } from "@/api/project";
import type { Schemas } from "@/api/client";
import { bytes, percent } from "@/format/format";
import { Badge } from "@/ui/Badge";
import { Panel } from "@/ui/Panel";
import { ReleaseLink } from "@/ui/ReleaseLink";
import { Table, type Column } from "@/ui/Table";
import { PatchSizes } from "./PatchSizes";
import { strings } from "./strings";

type Patch = Schemas["UpdatePatch"];

/** Shows the downloads of devices that come from earlier releases. */
export function Patches({ id }: { id: number }) {
  const query = useApi().useQuery("get", "/v1/ota/updates/{id}/patches", { params: { path: { id } } });
  return (
    <Panel
      title={strings.patches.title}
      query={query}
      flush
      isEmpty={(patches) => patches.length === 0}
      empty={<p className="p-3 text-muted">{strings.patches.none}</p>}
    >
      {(patches) => (
        <>
          <PatchSizes patches={patches} />
          <Table label={strings.patches.title} rows={patches} columns={columns()} rowId={(patch) => patch.baseUpdateUuid} sortParam="patches" />
        </>
      )}
    </Panel>
  );
}

function columns(): Column<Patch>[] {
  const text = strings.patches;
  return [
    {
      id: "from",
      header: text.from,
      value: (patch) => patch.baseUpdateId,
      cell: (patch) => <ReleaseLink release={patch.baseRelease} uuid={patch.baseUpdateId === null ? null : patch.baseUpdateUuid} />,
    },
    {
      id: "status",
      header: text.status,
      value: (patch) => patch.status,
      cell: (patch) => (
        <Badge tone={patch.status === "offered" ? "ok" : "plain"} title={patch.reason}>
          {text.statuses[patch.status]}
        </Badge>
      ),
    },
    { id: "size", header: text.size, align: "right", value: (patch) => patch.sizeBytes, cell: (patch) => bytes(patch.status === "offered" ? patch.sizeBytes : null) },
    { id: "full", header: text.full, align: "right", secondary: true, value: (patch) => patch.compressedBytes, cell: (patch) => bytes(patch.compressedBytes || patch.fullBytes) },
    { id: "saves", header: text.saves, align: "right", cell: (patch) => percent(saved(patch), "glance") },
  ];
}

/** Returns the percentage of the download that the patch saves, or null if no patch is offered. */
function saved(patch: Patch): number | null {
  const full = patch.compressedBytes || patch.fullBytes;
  return patch.status === "offered" && full > 0 ? 100 - (100 * patch.sizeBytes) / full : null;
}
