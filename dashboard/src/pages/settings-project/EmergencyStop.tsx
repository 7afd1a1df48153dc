import { useState } from "react";
import { useRefusal } from "@/api/access";
import { useAttention } from "@/api/attention";
import { StopDialog } from "@/app/StopDialog";
import { actorTitle } from "@/format/actions";
import { count } from "@/format/format";
import { Button } from "@/ui/Button";
import { Facts } from "@/ui/Facts";
import { Panel } from "@/ui/Panel";
import { Time } from "@/ui/Time";
import { strings as all } from "@/strings";
import { strings } from "./strings";

const text = strings.stop;
const frame = all.stop;

/** Stops or resumes the project. */
export function EmergencyStop() {
  const refusal = useRefusal("editor");
  // The dialog keeps asking the same question, even if the project is stopped or resumed while it is open.
  const [asked, setAsked] = useState<"stop" | "resume" | null>(null);
  const query = useAttention();
  return (
    <Panel title={frame.title} query={query} placeholder="h-27 sm:h-17">
      {({ emergencyStop: stop }) => (
        <div className="flex flex-col items-start gap-3">
          {stop.active ? (
            <>
              <p className="font-medium text-bad">{text.stopped}</p>
              <Facts
                facts={[
                  [text.reason, stop.reason],
                  [text.by, actorTitle(stop.stoppedBy)],
                  [text.at, <Time key="at" at={stop.stoppedAt} />],
                  [text.channels, count(stop.channels.length)],
                  [text.executions, count(stop.executions.length)],
                ]}
              />
            </>
          ) : (
            <p>{text.running}</p>
          )}
          <Button kind={stop.active ? "primary" : "danger"} command={stop.active ? frame.resumeCommand : frame.command} refusal={refusal} onClick={() => setAsked(stop.active ? "resume" : "stop")}>
            {stop.active ? frame.resume : frame.stop}
          </Button>
          {asked && <StopDialog asked={asked} onClose={() => setAsked(null)} />}
        </div>
      )}
    </Panel>
  );
}
