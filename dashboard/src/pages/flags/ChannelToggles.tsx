import { useState } from "react";
import type { Schemas } from "@/api/client";
import { cx } from "@/ui/cx";
import { DangerDialog } from "@/ui/DangerDialog";
import { toast } from "@/ui/toast";
import { strings } from "./strings";

type Flag = Schemas["Flag"];
type Environment = Schemas["FlagEnvironment"];

/** Shows a switch for each channel. It asks before it changes what devices get. */
export function ChannelToggles({ flag, refusal }: { flag: Flag; refusal: string | null }) {
  const [asked, setAsked] = useState<Environment | null>(null);
  if (flag.environments.length === 0) return <span className="text-faint">{strings.noChannel}</span>;
  return (
    <div className="flex flex-wrap gap-x-3 gap-y-1">
      {flag.environments.map((environment) => (
        <button
          key={environment.channelName}
          type="button"
          role="switch"
          aria-checked={environment.enabled}
          aria-label={strings.toggle(flag.key, environment.channelName)}
          aria-disabled={refusal ? true : undefined}
          title={refusal ?? undefined}
          onClick={() => (refusal ? toast({ title: refusal }) : setAsked(environment))}
          className={cx("inline-flex min-h-6 items-center gap-1.5 rounded text-xs", refusal ? "cursor-not-allowed text-faint" : "hover:text-ink", environment.enabled ? "" : "text-muted")}
        >
          <span aria-hidden className={cx("flex h-3.5 w-6 shrink-0 items-center rounded-full px-0.5", environment.enabled ? "justify-end bg-ok" : "justify-start bg-edge/60")}>
            <span className="size-2.5 rounded-full bg-panel" />
          </span>
          <span className="max-w-28 truncate">{environment.channelName}</span>
        </button>
      ))}
      {asked && <ToggleDialog flag={flag} environment={asked} onClose={() => setAsked(null)} />}
    </div>
  );
}

/** Asks to turn the flag on or off on a channel. */
function ToggleDialog({ flag, environment: { channelName, enabled }, onClose }: { flag: Flag; environment: Environment; onClose: () => void }) {
  const path = { id: flag.id, channelName };
  const body = { enabled: !enabled };
  return (
    <DangerDialog
      onClose={onClose}
      title={strings.turn(flag.key, channelName, !enabled)}
      confirm={strings.confirmTurn(!enabled)}
      done={strings.turned(flag.key, channelName, !enabled)}
      preview={(client, signal) => client.POST("/v1/ota/flags/{id}/env/{channelName}/preview", { params: { path }, body, signal })}
      run={(client) => client.PATCH("/v1/ota/flags/{id}/env/{channelName}", { params: { path }, body })}
    />
  );
}
