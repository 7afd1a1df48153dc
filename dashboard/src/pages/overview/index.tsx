import { lazy, Suspense, useMemo } from "react";
import { useOverview } from "@/api/overview";
import { useFirstSteps } from "@/first-steps/useFirstSteps";
import { Empty } from "@/ui/Empty";
import { loadCode } from "@/ui/loadCode";
import { Page } from "@/ui/Page";
import { Panel } from "@/ui/Panel";
import { BrokenCards } from "./BrokenCards";
import { ChannelPanel } from "./ChannelPanel";
import { LastChanges } from "./LastChanges";
import { channelsOf } from "./publishes";
import { RestoreNote } from "./RestoreNote";
import { RolloutCards } from "./RolloutCards";
import { useLastChanges } from "./useLastChanges";
import { strings } from "./strings";

const FirstSteps = lazy(() => loadCode(() => import("@/first-steps/FirstSteps")));

/** The overview: broken releases first, then what is rolling out, then a panel per channel, with a row per platform and runtime version. */
export default function Overview() {
  const overview = useOverview();
  useLastChanges();
  const steps = useFirstSteps(overview.data);
  const channels = useMemo(() => channelsOf(overview.data ?? []), [overview.data]);
  return (
    <Page title={strings.title} lead={strings.lead}>
      <RestoreNote />
      <BrokenCards rows={overview.data ?? []} />
      <RolloutCards rows={overview.data ?? []} />
      {channels.length === 0 && overview.data && (steps.isShown || !steps.isSettled) ? null : channels.length === 0 ? (
        <Panel
          title={strings.channels}
          query={overview}
          placeholder="h-64"
          isEmpty={(rows) => rows.length === 0}
          empty={<Empty title={strings.empty} text={strings.emptyText} command={strings.emptyCommand} />}
        >
          {null}
        </Panel>
      ) : (
        channels.map(([channel, rows]) => <ChannelPanel key={channel} channel={channel} rows={rows} query={overview} />)
      )}
      {/* Shown once the height of the parts above is known, so that it does not jump. */}
      {(overview.data || overview.error) && steps.isSettled && (
        <Suspense>
          {steps.isShown && <FirstSteps onHide={steps.hide} />}
          <LastChanges />
        </Suspense>
      )}
    </Page>
  );
}
