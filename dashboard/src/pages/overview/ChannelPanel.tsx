import { Pause, Play } from "lucide-react";
import { useState } from "react";
import { useRefusal } from "@/api/access";
import type { Schemas } from "@/api/client";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { DangerDialog } from "@/ui/DangerDialog";
import { Panel, type PanelQuery } from "@/ui/Panel";
import { StreamRow } from "./StreamRow";
import { strings } from "./strings";

export type Row = Schemas["StreamOverview"];

const text = strings.channel;

/** A channel with its platforms, and the button that pauses it. */
export function ChannelPanel({ channel, rows, query }: { channel: string; rows: Row[]; query: PanelQuery<Row[]> }) {
  const [asking, setAsking] = useState(false);
  const refusal = useRefusal("editor");
  const isPaused = rows.some((row) => row.isPaused);
  return (
    <Panel
      title={channel}
      query={query}
      flush
      actions={
        <>
          {isPaused && <Badge tone="warn">{text.paused}</Badge>}
          <Button
            size="sm"
            refusal={refusal}
            icon={isPaused ? <Play size={12} aria-hidden /> : <Pause size={12} aria-hidden />}
            onClick={() => setAsking(true)}
          >
            {isPaused ? text.resume : text.pause}
          </Button>
        </>
      }
    >
      <div className="divide-y">
        {rows.map((row) => (
          <StreamRow key={`${row.platform} ${row.runtimeVersion}`} row={row} />
        ))}
      </div>
      <DangerDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={isPaused ? text.resumeTitle(channel) : text.pauseTitle(channel)}
        text={isPaused ? text.resumeText : text.pauseText}
        confirm={isPaused ? text.resume : text.pause}
        withoutReason
        typeName={isPaused ? undefined : channel}
        previewKey={[channel, isPaused]}
        preview={(client, signal) =>
          client.POST("/v1/ota/channels/{name}/preview", { params: { path: { name: channel } }, body: { isPaused: !isPaused }, signal })
        }
        run={(client) => client.PATCH("/v1/ota/channels/{name}", { params: { path: { name: channel } }, body: { isPaused: !isPaused } })}
        done={isPaused ? text.resumedDone(channel) : text.pausedDone(channel)}
      />
    </Panel>
  );
}
