import { useMemo } from "react";
import type { Schemas } from "@/api/client";
import { useApi } from "@/api/project";
import { count, number, percent } from "@/format/format";
import { healthDays } from "@/search/pages";
import { Badge } from "@/ui/Badge";
import { Chart } from "@/ui/Chart";
import { Empty } from "@/ui/Empty";
import { Figure } from "@/ui/Figure";
import { Panel } from "@/ui/Panel";
import { Select } from "@/ui/Select";
import { Table, type Column } from "@/ui/Table";
import { Time } from "@/ui/Time";
import { usePageSearch } from "@/ui/usePageSearch";
import type { Flag } from "./draft";
import { evaluationSeries } from "./evaluationSeries";
import { strings } from "./strings";

type Row = Schemas["VariationHealth"];

const text = strings.health;
const tones = { healthy: "ok", degraded: "warn", incident: "bad" } as const;

/** The tab with the flag's evaluations and the health of devices by variation. */
export default function Health({ flag }: { flag: Flag }) {
  const [view, setView] = usePageSearch("/$project/flags/$id");
  const days = Number(view.days);
  const of = { params: { path: { id: flag.id }, query: { days } } };
  const evaluations = useApi().useQuery("get", "/v1/ota/flags/{id}/evaluations", of);
  const health = useApi().useQuery("get", "/v1/ota/flags/{id}/health", of);
  const chart = useMemo(() => evaluations.data && evaluationSeries(evaluations.data), [evaluations.data]);
  const select = (
    <Select label={text.days} value={view.days} onChange={(days) => setView({ days })} options={healthDays.map((each) => ({ value: each, label: text.period(each) }))} />
  );
  return (
    <>
      <Panel
        title={text.evaluations}
        query={evaluations}
        actions={select}
        placeholder="h-64"
        isEmpty={(data) => data.total === 0}
        empty={<Empty title={text.none} text={text.noneText} command={text.noneCommand(flag.key)} />}
      >
        {(data) => (
          <div className="flex flex-col gap-4">
            <div className="grid grid-cols-2 gap-4 sm:grid-cols-4">
              <Figure label={text.total} value={count(data.total)} note={<>{text.last} <Time at={data.lastEvaluatedAt} /></>} />
              {data.variations.map((each) => (
                <Figure key={each.value} label={each.name || text.other} value={percent(each.percentage, "share")} note={count(each.count)} />
              ))}
            </div>
            {chart && <Chart title={text.perDay} times={chart.times} series={chart.series} format={count} areDays unit={text.unit} range={[0, null]} />}
          </div>
        )}
      </Panel>
      <Panel
        title={text.byVariation}
        query={health}
        flush
        placeholder="h-32"
        isEmpty={(data) => data.variations.length === 0}
        empty={<Empty title={text.noDevices} command={text.noneCommand(flag.key)} />}
      >
        {(data) => (
          <>
            <div className="grid grid-cols-2 gap-4 border-b p-3 sm:grid-cols-4">
              <Figure label={text.status} value={text.statuses[data.status]} tone={tones[data.status]} />
              <Figure label={text.crashFree} value={percent(data.crashFreePercentage)} />
              <Figure label={text.errorRate} value={percent(data.errorRate)} />
              <Figure label={text.affected} value={count(data.affectedDevices)} />
            </div>
            <Table label={text.byVariation} rows={data.variations} columns={columns} rowId={(row) => `${row.channel} ${row.variation}`} />
          </>
        )}
      </Panel>
    </>
  );
}

const columns: Column<Row>[] = [
  { id: "variation", header: text.columns.variation, width: "minmax(5rem, 1fr)", value: (row) => row.name || row.variation, cell: (row) => <span className="block truncate">{row.name || row.variation}</span> },
  { id: "channel", header: text.columns.channel, value: (row) => row.channel, cell: (row) => <span className="block truncate">{row.channel}</span> },
  { id: "devices", header: text.columns.devices, align: "right", secondary: true, value: (row) => row.devices, cell: (row) => count(row.devices) },
  { id: "crashFree", header: text.columns.crashFree, width: "4.75rem", align: "right", value: (row) => row.crashFreePercentage, cell: (row) => percent(row.crashFreePercentage) },
  { id: "errorRate", header: text.columns.errorRate, align: "right", secondary: true, value: (row) => row.errorRate, cell: (row) => percent(row.errorRate) },
  { id: "delta", header: text.columns.delta, align: "right", secondary: true, value: (row) => row.errorRateDelta, cell: (row) => text.points(number(row.errorRateDelta)) },
  { id: "status", header: text.columns.status, width: "6rem", value: (row) => row.status, cell: (row) => <Badge tone={tones[row.status]}>{text.statuses[row.status]}</Badge> },
];
