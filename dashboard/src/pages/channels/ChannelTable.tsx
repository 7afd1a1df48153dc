import { MoreHorizontal, ShieldPlus } from "lucide-react";
import { useState } from "react";
import { useRefusal } from "@/api/access";
import type { Schemas } from "@/api/client";
import { percent } from "@/format/format";
import { strings as frame } from "@/strings";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import { IconButton } from "@/ui/IconButton";
import { Menu } from "@/ui/Menu";
import { Table, type Column } from "@/ui/Table";
import { Track } from "@/ui/Track";
import type { ServerList } from "@/ui/useList";
import { ChannelDialog, type ChannelAction } from "./ChannelDialog";
import { PromoteDialog } from "./PromoteDialog";
import { strings } from "./strings";

type Channel = Schemas["Channel"];
type Branch = Schemas["Branch"];

/** Lists the channels with the branches that they point to. */
export function ChannelTable({ query, channels, branches }: { query: { list: ServerList; more: (() => void) | undefined }; channels: Channel[]; branches: Branch[] }) {
  const [open, setOpen] = useState<{ channel: string; action: ChannelAction | "promote" } | null>(null);
  const columns = useColumns((channel, action) => setOpen({ channel: channel.name, action }));
  const channel = channels.find((each) => each.name === open?.channel);
  return (
    <>
      <Table
        label={strings.channels}
        rows={channels}
        columns={columns}
        rowId={(channel) => channel.name}
        rowHeight={48}
        list={query.list}
        onMore={query.more}
        filter={{ label: strings.searchChannels }}
        empty={<Empty {...strings.empty.channels} />}
      />
      {channel && open?.action === "promote" && <PromoteDialog channel={channel} onClose={() => setOpen(null)} />}
      {channel && open && open.action !== "promote" && (
        <ChannelDialog key={open.action} channel={channel} action={open.action} branches={branches} onClose={() => setOpen(null)} />
      )}
    </>
  );
}

function useColumns(onAction: (channel: Channel, action: ChannelAction | "promote") => void): Column<Channel>[] {
  const editor = useRefusal("editor");
  const admin = useRefusal("admin");
  const { columns, badges, actions } = strings;
  return [
    {
      id: "channel",
      field: "name",
      header: columns.channel,
      width: "minmax(7rem, 1.2fr)",
      cell: (row) => <span className="line-clamp-3 font-medium [overflow-wrap:anywhere]">{row.name}</span>,
    },
    { id: "branch", field: "branchName", header: columns.branch, width: "minmax(6rem, 1fr)", cell: (row) => <span className="line-clamp-3 [overflow-wrap:anywhere]">{row.branchName}</span> },
    {
      id: "rollout",
      field: "rolloutPercentage",
      header: columns.rollout,
      width: "minmax(9rem, 1.2fr)",
      secondary: true,
      cell: (row) =>
        row.rolloutBranchName === null ? (
          <span className="text-faint">{strings.noRollout}</span>
        ) : (
          <div>
            <span className="block truncate text-xs">{strings.toBranch(percent(row.rolloutPercentage), row.rolloutBranchName)}</span>
            <Track value={row.rolloutPercentage ?? 0} label={columns.rollout} />
          </div>
        ),
    },
    { id: "runtime", field: "minRuntimeVersion", header: columns.runtime, width: "8rem", secondary: true, cell: (row) => row.minRuntimeVersion ?? frame.unknown },
    {
      id: "state",
      header: columns.state,
      width: "minmax(6rem, 1.2fr)",
      cell: (row) => (
        <span className="flex flex-wrap items-center gap-1">
          {row.isPaused && <Badge tone="warn">{badges.paused}</Badge>}
          {row.isProtected && <Badge tone="info">{badges.protected}</Badge>}
          {row.isProtected && row.requiredApprovals > 0 && <Badge>{badges.approvals(row.requiredApprovals)}</Badge>}
          {!row.isProtected && admin === null && (
            <Button
              kind="quiet"
              size="sm"
              command={strings.commands.protect(row.name)}
              aria-label={strings.commands.protect(row.name)}
              icon={<ShieldPlus size={13} aria-hidden />}
              onClick={() => onAction(row, "protect")}
            >
              {actions.protection.add}
            </Button>
          )}
        </span>
      ),
    },
    {
      id: "actions",
      header: "",
      width: "2.25rem",
      align: "right",
      cell: (row) => (
        <Menu
          trigger={<IconButton label={actions.more(row.name)} icon={<MoreHorizontal size={16} aria-hidden />} />}
          items={[
            row.isPaused
              ? { label: actions.resume, command: strings.commands.resume(row.name), onSelect: () => onAction(row, "resume"), refusal: editor }
              : { label: actions.pause, command: strings.commands.pause(row.name), onSelect: () => onAction(row, "pause"), refusal: editor },
            { label: actions.promote, command: frame.palette.promote(row.name), onSelect: () => onAction(row, "promote"), refusal: editor },
            { label: actions.point, command: strings.commands.point(row.name), onSelect: () => onAction(row, "point"), refusal: editor },
            { label: actions.rollout, command: strings.commands.rollout(row.name), onSelect: () => onAction(row, "rollout"), refusal: editor },
            { label: actions.runtime, command: strings.commands.runtime(row.name), onSelect: () => onAction(row, "runtime"), refusal: editor },
            { label: actions.protect, command: strings.commands.protect(row.name), onSelect: () => onAction(row, "protect"), refusal: admin },
            { label: actions.remove, command: strings.commands.remove(row.name), onSelect: () => onAction(row, "remove"), refusal: editor, danger: true },
          ]}
        />
      ),
    },
  ];
}
