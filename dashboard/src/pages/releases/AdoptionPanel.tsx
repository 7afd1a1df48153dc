import { useMemo } from "react";
import { useApi } from "@/api/project";
import { count } from "@/format/format";
import { adoptionDays } from "@/search/pages";
import { Chart } from "@/ui/Chart";
import { Panel } from "@/ui/Panel";
import { Select } from "@/ui/Select";
import { usePageSearch } from "@/ui/usePageSearch";
import { adoptionSeries } from "./adoptionSeries";
import { strings } from "./strings";

/** A chart of the releases that devices run, by day. */
export function AdoptionPanel() {
  const [view, setView] = usePageSearch("/$project/releases");
  const query = useApi().useQuery("get", "/v1/ota/insights/adoption", { params: { query: { days: Number(view.days) as 7 | 14 | 30 | 90 } } });
  const chart = useMemo(() => query.data && adoptionSeries(query.data), [query.data]);
  const text = strings.adoption;
  return (
    <Panel
      title={text.title}
      query={query}
      placeholder="h-56"
      actions={<Select label={text.window} value={view.days} onChange={(days) => setView({ days })} options={adoptionDays.map((each) => ({ value: each, label: text.days(each) }))} />}
    >
      {chart && <Chart title={text.title} {...chart} format={count} areDays unit={text.unit} stacked height={180} />}
    </Panel>
  );
}
