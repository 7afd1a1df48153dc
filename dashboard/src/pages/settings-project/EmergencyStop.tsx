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

/** Stops or resumes the project. */
export function EmergencyStop() {
  const refusal = useRefusal("editor");
  // The dialog keeps asking the same question, even if the project is stopped or resumed while it is open.
  const [asked, setAsked] = useState<"stop" | "resume" | null>(null);
  const query = useApi().useQuery("get", "/v1/ota/emergency-stop");
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
          <Button kind={stop.active ? "primary" : "danger"} refusal={refusal} onClick={() => setAsked(stop.active ? "resume" : "stop")}>
            {stop.active ? text.resume : text.stop}
          </Button>
          {asked && <StopDialog asked={asked} onClose={() => setAsked(null)} />}
        </div>
      )}
    </Panel>
  );
}

/** Asks before the project is stopped or resumed. */
function StopDialog({ asked, onClose }: { asked: "stop" | "resume"; onClose: () => void }) {
  const { slug } = useProject();
  if (asked === "resume") {
    return (
      <DangerDialog
        onClose={onClose}
        title={text.resume}
        text={text.resumeText}
        preview={(client, signal) => client.POST("/v1/ota/emergency-stop/resume/preview", { signal })}
        done={text.done.resumed}
        run={(client) => client.DELETE("/v1/ota/emergency-stop")}
      />
    );
  }
  return (
    <DangerDialog
      onClose={onClose}
      title={text.stop}
      text={text.stopText}
      typeName={slug}
      reason="needed"
      // The effect does not depend on the reason, which is entered below the preview.
      preview={(client, signal) => client.POST("/v1/ota/emergency-stop/preview", { body: { reason: text.title }, signal })}
      done={text.done.stopped}
      run={(client, reason, key) => client.POST("/v1/ota/emergency-stop", { params: { header: { "Idempotency-Key": key } }, body: { reason } })}
    />
  );
}
