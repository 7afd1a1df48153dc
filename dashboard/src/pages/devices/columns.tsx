import { Link } from "@tanstack/react-router";
import type { Schemas } from "@/api/client";
import { count } from "@/format/format";
import { strings as frame } from "@/strings";
import { ReleaseLink } from "@/ui/ReleaseLink";
import type { Column } from "@/ui/Table";
import { Time } from "@/ui/Time";
import { strings } from "./strings";

type Device = Schemas["Device"];

export function columns(project: string): Column<Device>[] {
  const names = strings.columns;
  return [
    {
      id: "device",
      field: "deviceId",
      header: names.device,
      width: "minmax(8rem, 3fr)",
      cell: (row) => (
        <div className="min-w-0">
          <Link
            to="/$project/devices/$deviceId"
            params={{ project, deviceId: row.deviceId }}
            title={row.deviceId}
            className="block truncate font-mono text-xs font-medium hover:underline"
          >
            {row.deviceId}
          </Link>
          <p className="truncate text-xs text-muted">{[row.platform && frame.platforms[row.platform], row.runtimeVersion].filter(Boolean).join(" · ")}</p>
        </div>
      ),
    },
    {
      id: "runs",
      header: names.runs,
      width: "minmax(6rem, 2fr)",
      cell: (row) => <ReleaseLink release={row.release} uuid={row.updateUuid} />,
    },
    { id: "channel", field: "channel", header: names.channel, width: "minmax(6rem, 1fr)", secondary: true, cell: (row) => <span className="block truncate">{row.channel || frame.unknown}</span> },
    { id: "crashes", field: "crashes", header: names.crashes, width: "4.5rem", align: "right", secondary: true, cell: (row) => count(row.crashes) },
    { id: "errors", field: "errors", header: names.errors, width: "4.5rem", align: "right", secondary: true, cell: (row) => count(row.errors) },
    { id: "last", field: "lastSeenAt", header: names.last, width: "6rem", align: "right", cell: (row) => <Time at={row.lastSeenAt} /> },
  ];
}
