import { useChange } from "@/api/change";
import type { Schemas } from "@/api/client";
import { cx } from "@/ui/cx";
import { toast } from "@/ui/toast";
import { strings } from "./strings";

type Flag = Schemas["Flag"];

/** Shows a switch for each channel. */
export function ChannelToggles({ flag, refusal }: { flag: Flag; refusal: string | null }) {
  const toggle = useChange<Schemas["FlagEnvironment"]>({
    run: (client, { channelName, enabled }) =>
      client.PATCH("/v1/ota/flags/{id}/env/{channelName}", { params: { path: { id: flag.id, channelName } }, body: { enabled: !enabled } }),
    done: (_, { channelName, enabled }) => strings.turned(flag.key, channelName, !enabled),
    toastErrors: true,
  });
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
          aria-disabled={refusal || toggle.isPending ? true : undefined}
          title={refusal ?? undefined}
          onClick={() => {
            if (refusal) toast({ title: refusal });
            else if (!toggle.isPending) toggle.mutate(environment);
          }}
          className={cx("inline-flex min-h-6 items-center gap-1.5 rounded text-xs", refusal ? "cursor-not-allowed text-faint" : "hover:text-ink", environment.enabled ? "" : "text-muted")}
        >
          <span aria-hidden className={cx("flex h-3.5 w-6 shrink-0 items-center rounded-full px-0.5", environment.enabled ? "justify-end bg-ok" : "justify-start bg-edge/60")}>
            <span className="size-2.5 rounded-full bg-panel" />
          </span>
          <span className="max-w-28 truncate">{environment.channelName}</span>
        </button>
      ))}
    </div>
  );
}
