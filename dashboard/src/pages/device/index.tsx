import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useRefusal } from "@/api/access";
import { useApi, useProject } from "@/api/project";
import { count } from "@/format/format";
import { strings as frame } from "@/strings";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { DangerDialog } from "@/ui/DangerDialog";
import { Facts } from "@/ui/Facts";
import { Page } from "@/ui/Page";
import { Panel } from "@/ui/Panel";
import { ReleaseLink } from "@/ui/ReleaseLink";
import { Time } from "@/ui/Time";
import { Events } from "./Events";
import { Failed } from "./Failed";
import { Served } from "./Served";
import { strings } from "./strings";
import { WhatIf } from "./WhatIf";
import { Why } from "./Why";

/** The page of a device: the release it gets and why, the releases it was served, and the releases that failed on it. */
export default function Device() {
  const { deviceId } = useParams({ from: "/$project/devices/$deviceId" });
  const { slug: project } = useProject();
  const navigate = useNavigate();
  const refusal = useRefusal("admin");
  const [erases, setErases] = useState(false);
  const query = useApi().useQuery("get", "/v1/ota/devices/{deviceId}", { params: { path: { deviceId } } });
  const device = query.data;
  // The height of the explanation is unknown, so the parts below it are shown when it is.
  const isLoaded = device !== undefined || query.isError;
  const canResolve = device?.resolve && (device.platform === "ios" || device.platform === "android");
  return (
    <Page
      title={strings.title}
      lead={<code className="font-mono text-xs break-all">{deviceId}</code>}
      actions={
        <>
          <Link
            to="/$project/overrides"
            params={{ project }}
            className="inline-flex h-9 items-center rounded-md border border-edge/60 bg-panel px-3 font-medium hover:bg-hover sm:h-8"
          >
            {strings.override}
          </Link>
          <Button kind="danger" command={strings.eraseCommand} refusal={refusal} onClick={() => setErases(true)}>
            {strings.erase}
          </Button>
        </>
      }
    >
      <div className="grid items-start gap-4 lg:grid-cols-[3fr_2fr]">
        <div className="flex min-w-0 flex-col gap-4">
          <Panel title={strings.why.title} query={query} placeholder="h-88 sm:h-64">
            {(device) => (device.resolve ? <Why resolution={device.resolve} intro={strings.why.gets} /> : <p className="text-muted">{strings.why.none}</p>)}
          </Panel>
          {canResolve && <WhatIf device={device} />}
          {isLoaded && (
            <Panel
              title={strings.events.title}
              query={query}
              flush
              isEmpty={(device) => device.events.length === 0}
              empty={<p className="p-3 text-muted">{strings.events.none}</p>}
            >
              {(device) => <Events events={device.events} />}
            </Panel>
          )}
        </div>
        <div className={cx("flex min-w-0 flex-col gap-4", !isLoaded && "max-lg:hidden")}>
          <Panel title={strings.facts.title} query={query} placeholder="h-48">
            {(device) => (
              <Facts
                facts={[
                  [strings.facts.runs, <ReleaseLink key="runs" release={device.release} uuid={device.updateUuid} />],
                  [strings.facts.platform, device.platform ? frame.platforms[device.platform] : frame.unknown],
                  [strings.facts.runtime, device.runtimeVersion || frame.unknown],
                  [strings.facts.channel, device.channel || frame.unknown],
                  [strings.facts.first, <Time key="first" at={device.firstSeenAt} />],
                  [strings.facts.last, <Time key="last" at={device.lastSeenAt} />],
                  [strings.facts.crashes, count(device.crashes)],
                  [strings.facts.errors, count(device.errors)],
                ]}
              />
            )}
          </Panel>
          <Panel title={strings.served.title} query={query}>
            {(device) => <Served served={device.served} />}
          </Panel>
          <Panel title={strings.failed.title} query={query}>
            {(device) => <Failed failed={device.failed} />}
          </Panel>
        </div>
      </div>
      {erases && (
        <DangerDialog
          onClose={() => setErases(false)}
          title={strings.eraseTitle}
          text={strings.eraseText}
          confirm={strings.erase}
          done={strings.erased}
          run={(client) => client.DELETE("/v1/ota/devices/{deviceId}/data", { params: { path: { deviceId } } })}
          onDone={() => void navigate({ to: "/$project/devices", params: { project } })}
        />
      )}
    </Page>
  );
}
