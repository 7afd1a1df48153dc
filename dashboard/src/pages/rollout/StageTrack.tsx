import { count, duration, percent } from "@/format/format";
import { useNow } from "@/format/useNow";
import { cx } from "@/ui/cx";
import { Track } from "@/ui/Track";
import { stageState, timeLeft, type StageState } from "./stages";
import { toneOf, type Execution } from "./status";
import { strings } from "./strings";

const edges: Record<StageState, string> = {
  done: "border-l-ok",
  current: "border-l-info",
  ended: "border-l-bad",
  next: "border-l-line",
  left: "border-l-line",
};

/** Shows the stages in order: what each stage requires, and what the current stage waits for. */
export function StageTrack({ execution }: { execution: Execution }) {
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center gap-3">
        <Track value={execution.percentage} label={strings.stages.share} tone={toneOf(execution)} />
        <span className="font-semibold tabular-nums">{percent(execution.percentage)}</span>
      </div>
      <ol className="grid gap-2 sm:grid-cols-[repeat(auto-fit,minmax(10rem,1fr))]">
        {execution.stages.map((stage, index) => {
          const state = stageState(execution, index);
          const needs = [
            stage.minDurationMinutes ? strings.stages.for(duration(stage.minDurationMinutes * 60_000)) : null,
            stage.minDevices ? strings.stages.devices(count(stage.minDevices)) : null,
          ].filter((each) => each !== null);
          return (
            <li
              key={index}
              aria-current={state === "current" ? "step" : undefined}
              className={cx("rounded-md border border-l-3 px-3 py-2", edges[state], state === "current" && "bg-info-soft")}
            >
              <div className="flex items-baseline justify-between gap-2">
                <span className="font-medium">{strings.stages.stage(index + 1)}</span>
                <span className="tabular-nums">{percent(stage.percentage)}</span>
              </div>
              <p className="text-xs text-muted">{strings.stages.state[state]}</p>
              {needs.length > 0 && <p className="text-xs text-muted">{needs.join(", ")}</p>}
              {state === "current" && <Waiting execution={execution} />}
            </li>
          );
        })}
      </ol>
    </div>
  );
}

function Waiting({ execution }: { execution: Execution }) {
  const now = useNow();
  const left = timeLeft(execution, now);
  return (
    <p className="mt-1 text-xs">
      {execution.waitingFor && strings.stages.waits[execution.waitingFor]}
      {left !== null && <span className="text-muted"> · {left > 0 ? strings.stages.left(duration(left)) : strings.stages.over}</span>}
    </p>
  );
}
