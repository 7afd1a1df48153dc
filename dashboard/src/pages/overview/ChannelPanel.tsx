import { Pause, Play } from "lucide-react";
import { useState } from "react";
import { useRefusal } from "@/api/access";
import { useAttention } from "@/api/attention";
import type { Stream } from "@/api/overview";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { DangerDialog } from "@/ui/DangerDialog";
import { Panel, type PanelQuery } from "@/ui/Panel";
import { StreamRow } from "./StreamRow";
import { strings } from "./strings";
import { usePromotion } from "./usePromotion";

const text = strings.channel;

/** Shows a channel with its platforms, and a button to pause or resume it. */
export function ChannelPanel({ channel, rows, query }: { channel: string; rows: Stream[]; query: PanelQuery<Stream[]> }) {
  // The dialog keeps asking the same question, even if the channel changes while it is open.
  const [asked, setAsked] = useState<"pause" | "resume" | null>(null);
  const refusal = useRefusal("editor");
  const isPaused = rows.some((row) => row.isPaused);
  usePromotion(channel, refusal);
  const isStopped = useAttention().data?.emergencyStop.active ?? false;
  return (
    <Panel
      title={channel}
      query={query}
      flush
      actions={
        <>
          {isPaused && (
            <Badge tone="warn" title={isStopped ? text.stoppedTip : undefined}>
              {isStopped ? text.stopped : text.paused}
            </Badge>
          )}
          <Button
            size="sm"
            refusal={refusal}
            icon={isPaused ? <Play size={12} aria-hidden /> : <Pause size={12} aria-hidden />}
            command={isPaused ? text.resumeTitle(channel) : text.pauseTitle(channel)}
            onClick={() => setAsked(isPaused ? "resume" : "pause")}
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
      {asked && <SwitchDialog channel={channel} asked={asked} isStopped={isStopped} onClose={() => setAsked(null)} />}
    </Panel>
  );
}

/** Asks before the channel is paused or resumed. */
function SwitchDialog({ channel, asked, isStopped, onClose }: { channel: string; asked: "pause" | "resume"; isStopped: boolean; onClose: () => void }) {
  const pauses = asked === "pause";
  const params = { path: { name: channel } };
  const body = { isPaused: pauses };
  return (
    <DangerDialog
      onClose={onClose}
      title={pauses ? text.pauseTitle(channel) : text.resumeTitle(channel)}
      text={pauses ? text.pauseText : isStopped ? text.resumeStoppedText : text.resumeText}
      confirm={pauses ? text.pause : text.resume}
      typeName={pauses ? channel : undefined}
      previewKey={[channel, asked]}
      preview={(client, signal) => client.POST("/v1/ota/channels/{name}/preview", { params, body, signal })}
      run={(client) => client.PATCH("/v1/ota/channels/{name}", { params, body })}
      done={pauses ? text.pausedDone(channel) : text.resumedDone(channel)}
    />
  );
}
