import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue } from "react";
import { useWatch, type Control } from "react-hook-form";
import type { Schemas } from "@/api/client";
import { useOverview } from "@/api/overview";
import { useProject } from "@/api/project";
import { count, duration, percent } from "@/format/format";
import { Panel } from "@/ui/Panel";
import { Select } from "@/ui/Select";
import { Time } from "@/ui/Time";
import { Track } from "@/ui/Track";
import { usePageSearch } from "@/ui/usePageSearch";
import { bodyOf, isComplete, type Draft } from "./draft";
import { strings as frame } from "@/strings";
import { strings } from "./strings";

const text = strings.preview;

/** Shows a forecast for a release that starts now with this policy: the times of its stages, and how soon Waft detects crashes. */
export function Forecast({ control }: { control: Control<Draft> }) {
  const draft = useWatch({ control }) as Draft;
  const { client } = useProject();
  const overview = useOverview();
  const streams = (overview.data ?? []).filter((each) => each.platform !== "web");
  const [view, setView] = usePageSearch("/$project/policies/$id");
  const names = streams.map((each) => [each.channel, frame.platforms[each.platform], each.runtimeVersion].join(" · "));
  const stream = streams[Math.max(0, names.indexOf(view.stream))];
  const later = useDeferredValue(draft);
  const body = {
    ...bodyOf(later, true),
    name: undefined,
    channel: stream?.channel ?? (draft.channel || undefined),
    platform: stream?.platform as "ios" | "android" | undefined,
    runtimeVersion: stream?.runtimeVersion,
  } as Schemas["PreviewPolicyBody"];
  const query = useQuery<Schemas["PolicyForecast"]>({
    queryKey: ["preview", "policy", body],
    enabled: isComplete(later) && overview.data !== undefined,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => (await client.POST("/v1/ota/rollout-policies/preview", { body, signal })).data as Schemas["PolicyForecast"],
  });
  return (
    <Panel
      title={text.title}
      query={query}
      placeholder="h-64"
      actions={
        names.length > 0 && (
          <Select
            label={text.channel}
            value={names.includes(view.stream) ? view.stream : (names[0] ?? "")}
            onChange={(stream) => setView({ stream })}
            options={names.map((name) => ({ value: name, label: name }))}
          />
        )
      }
    >
      {(forecast) => <Stages forecast={forecast} />}
    </Panel>
  );
}

function Stages({ forecast }: { forecast: Schemas["PolicyForecast"] }) {
  const isKnown = forecast.activeDevices > 0;
  return (
    <div className="flex flex-col gap-3">
      <p className="text-muted">{isKnown ? text.devices(count(forecast.activeDevices)) : text.none}</p>
      <ol className="flex flex-col gap-2">
        {forecast.stages.map((stage, index) => (
          <li key={index} className="grid grid-cols-[1fr_auto] gap-x-3">
            <span>
              <span className="font-medium">{text.stage(index + 1)}</span> <span className="text-muted tabular-nums">{percent(stage.percentage)}</span>
            </span>
            <span className="text-right text-xs text-muted">
              {stage.startsAt ? (
                <>
                  <Time at={stage.startsAt} exact />
                  {isKnown && text.starts(count(stage.expectedDevices))}
                </>
              ) : (
                text.neverStarts
              )}
            </span>
            <div className="col-span-2">
              <Track value={stage.percentage} label={text.share} />
            </div>
          </li>
        ))}
      </ol>
      {forecast.endsAt ? (
        <p>
          {text.ends} <Time at={forecast.endsAt} exact />
        </p>
      ) : (
        <p>{text.neverEnds}</p>
      )}
      <div>
        <h3 className="text-xs font-medium text-muted">{text.notices}</h3>
        <dl className="mt-1 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
          {forecast.detection.map((each) => (
            <div key={each.rate} className="contents">
              <dt>{text.rate(percent(each.rate))}</dt>
              <dd className="text-muted">{!isKnown ? text.unknown : each.minutes === null ? text.never : text.after(duration(each.minutes * 60_000), count(each.devices))}</dd>
            </div>
          ))}
        </dl>
      </div>
    </div>
  );
}
