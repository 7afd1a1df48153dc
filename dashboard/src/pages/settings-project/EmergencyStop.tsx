import { useState } from "react";
import { useRefusal } from "@/api/access";
import { useApi, useProject } from "@/api/project";
import { count } from "@/format/format";
import { Button } from "@/ui/Button";
import { DangerDialog } from "@/ui/DangerDialog";
import { Facts } from "@/ui/Facts";
import { Panel } from "@/ui/Panel";
import { Time } from "@/ui/Time";
import { strings } from "./strings";

const text = strings.stop;

/** Stops everything in the project, or lets it go on. */
export function EmergencyStop() {
  const { slug } = useProject();
  const refusal = useRefusal("editor");
  const [asks, setAsks] = useState(false);
  const query = useApi().useQuery("get", "/v1/ota/emergency-stop");
  const isStopped = query.data?.active ?? false;
  return (
    <Panel title={text.title} query={query} placeholder="h-27 sm:h-17">
      {(stop) => (
        <div className="flex flex-col items-start gap-3">
          {stop.active ? (
            <>
              <p className="font-medium text-bad">{text.stopped}</p>
              <Facts
                facts={[
                  [text.reason, stop.reason],
                  [text.by, stop.stoppedBy],
                  [text.at, <Time key="at" at={stop.stoppedAt} />],
                  [text.channels, count(stop.channels.length)],
                  [text.executions, count(stop.executions.length)],
                ]}
              />
            </>
          ) : (
            <p>{text.running}</p>
          )}
          <Button kind={stop.active ? "primary" : "danger"} refusal={refusal} onClick={() => setAsks(true)}>
            {stop.active ? text.resume : text.stop}
          </Button>
          {asks && (
            <DangerDialog
              open
              onClose={() => setAsks(false)}
              title={isStopped ? text.resume : text.stop}
              text={isStopped ? text.resumeText : text.stopText}
              confirm={isStopped ? text.resume : text.stop}
              typeName={isStopped ? undefined : slug}
              withoutReason={isStopped}
              needsReason={!isStopped}
              preview={(client, signal): Promise<{ data?: unknown }> =>
                isStopped
                  ? client.POST("/v1/ota/emergency-stop/resume/preview", { signal })
                  : // The effect does not depend on the reason, which is typed below it.
                    client.POST("/v1/ota/emergency-stop/preview", { body: { reason: text.title }, signal })
              }
              done={isStopped ? text.done.resumed : text.done.stopped}
              run={(client, reason, key): Promise<{ data?: unknown }> =>
                isStopped
                  ? client.DELETE("/v1/ota/emergency-stop")
                  : client.POST("/v1/ota/emergency-stop", { params: { header: { "Idempotency-Key": key } }, body: { reason } })
              }
            />
          )}
        </div>
      )}
    </Panel>
  );
}
