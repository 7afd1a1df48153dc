import { useMemo } from "react";
import type { Schemas } from "@/api/client";
import { useFiguresOf } from "@/api/figures";
import { exceeds } from "@/api/overview";
import { useApi } from "@/api/project";
import { count, percent } from "@/format/format";
import { releaseName } from "@/format/releaseName";
import { healthPeriods } from "@/search/pages";
import { Chart } from "@/ui/Chart";
import { Figure, NoReports } from "@/ui/Figure";
import { Panel } from "@/ui/Panel";
import { Select } from "@/ui/Select";
import { releaseColours } from "@/ui/releaseColours";
import { usePageSearch } from "@/ui/usePageSearch";
import { crashFreeSeries } from "./healthSeries";
import { marksOf } from "./marks";
import { useHistory } from "./useHistory";
import { strings } from "./strings";

type Release = Schemas["Update"];

/** Shows the release's devices and health, compared with the previous release. */
export function HealthOfRelease({ release }: { release: Release }) {
  const [{ period }, setView] = usePageSearch("/$project/releases/$id");
  const api = useApi();
  const health = api.useQuery("get", "/v1/ota/telemetry/timeseries", {
    params: { query: { period, updateUuid: release.updateUuid, withPrevious: true } },
  });
  const previous = health.data?.previous;
  const figures = useFiguresOf([release.id]);
  const running = figures.data?.[0];
  const colours = useMemo(() => releaseColours([release.id, ...(previous ? [previous.updateId] : [])]), [release.id, previous]);
  const chart = useMemo(
    () => crashFreeSeries(health.data?.points ?? [], previous?.points ?? [], previous ? releaseName(previous.release) : null, [colours.get(release.id), colours.get(previous?.updateId ?? 0)]),
    [health.data, previous, colours, release.id],
  );
  const history = useHistory(release.id).data;
  const marks = useMemo(() => marksOf(release, history ?? []), [release, history]);
  const total = health.data?.total;
  const isCrashing = exceeds(total?.crashRate, running?.crashLimit);
  const isFailing = exceeds(total?.errorRate, running?.errorLimit);
  const ofDevices = total && total.devices > 0 && strings.now.of(count(total.devices), strings.charts.periods[period]);
  const rate = (value: number | null | undefined) => (total?.devices === 0 ? <NoReports /> : percent(value));
  const before = previous && previous.total.devices > 0 && strings.now.previous(percent(previous.total.crashFreePercentage), releaseName(previous.release));
  const select = (
    <Select
      label={strings.charts.period}
      value={period}
      onChange={(period) => setView({ period })}
      options={healthPeriods.map((each) => ({ value: each, label: strings.charts.periods[each] }))}
    />
  );
  return (
    <>
      <Panel title={strings.now.title} query={figures.data ? health : figures} placeholder="h-52 sm:h-24">
        <div className="grid grid-cols-2 gap-4 sm:grid-cols-4">
          <Figure
            label={strings.now.devices}
            value={count(running?.devices)}
            note={running && running.percentage !== null ? strings.now.ofAll(percent(running.percentage, "share"), count(running.targetDevices)) : undefined}
          />
          <Figure
            label={strings.now.crashFree}
            value={rate(total?.crashFreePercentage)}
            tone={isCrashing ? "bad" : "plain"}
            note={joined(ofDevices, isCrashing && strings.now.isBelow(percent(100 - running!.crashLimit.rate)), before)}
          />
          <Figure label={strings.now.errors} value={rate(total?.errorRate)} tone={isFailing ? "bad" : "plain"} note={joined(ofDevices, isFailing && strings.now.isAbove(percent(running!.errorLimit.rate)))} />
          <Figure label={strings.now.launches} value={count(total?.launches)} note={ofDevices || undefined} />
        </div>
      </Panel>
      <div className="grid gap-4 lg:grid-cols-2">
        <Panel title={strings.charts.adoption} query={health} actions={select} placeholder="h-73">
          {(data) => (
            <Chart
              title={strings.charts.adoption}
              times={data.points.map((point) => Date.parse(point.time))}
              series={[{ label: strings.charts.devices, values: data.points.map((point) => point.devices), shape: "area", colour: colours.get(release.id) }]}
              format={count}
              unit={strings.charts.unit}
              marks={marks}
              sync="release"
            />
          )}
        </Panel>
        <Panel title={strings.charts.health} query={health} placeholder="h-83 lg:h-73">
          <Chart title={strings.charts.health} times={chart.times} series={chart.series} format={percent} formatRight={percent} unit={strings.charts.ofDevices} unitRight={strings.charts.ofDevices} range={chart.range} marks={marks} sync="release" />
        </Panel>
      </div>
    </>
  );
}

const joined = (...parts: (string | false | null | undefined)[]) => parts.filter(Boolean).join("; ");
