import { useMemo, useState } from "react";
import { useRefusal } from "@/api/access";
import type { Schemas } from "@/api/client";
import { useWholeList } from "@/api/pages";
import { useApi, useProject } from "@/api/project";
import { flagStates } from "@/search/pages";
import { ListPage } from "@/ui/ListPage";
import { Select } from "@/ui/Select";
import { usePageSearch } from "@/ui/usePageSearch";
import { useList } from "@/ui/useList";
import { columns } from "./columns";
import { NewFlag } from "./NewFlag";
import { mayBeStale, mayDoHarm, sharesByFlag, stateByFlag, type FlagState } from "./states";
import { strings } from "./strings";

/** The list of flags. The server searches, and determines which flags are unused, degraded or an incident. */
export default function Flags() {
  const { slug: project } = useProject();
  const refusal = useRefusal("editor");
  const api = useApi();
  const [view, setView] = usePageSearch("/$project/flags");
  const [adds, setAdds] = useState(false);
  const query = useList<Schemas["Flag"]>("/v1/ota/flags", { state: view.state || undefined });
  const impacts = api.useQuery("get", "/v1/ota/telemetry/flag-impacts", { params: { query: { days: 7 } } });
  const harm = { enabled: impacts.data !== undefined && mayDoHarm(impacts.data) };
  const incident = useFlagsIn("incident", harm);
  const degraded = useFlagsIn("degraded", harm);
  const stale = useFlagsIn("stale", { enabled: query.data !== undefined && mayBeStale(query.data, query.dataUpdatedAt) });
  const shown = useMemo(
    () =>
      columns({
        project,
        refusal,
        states: stateByFlag({ incident: incident.data, degraded: degraded.data, stale: stale.data }),
        shares: impacts.data ? sharesByFlag(impacts.data) : null,
      }),
    [project, refusal, incident.data, degraded.data, stale.data, impacts.data],
  );
  return (
    <ListPage
      strings={{ ...strings, filter: strings.search }}
      query={query}
      columns={shown}
      rowHeight={52}
      placeholder="h-96"
      controls={
        <>
          <Select
            label={strings.state}
            value={view.state}
            onChange={(state) => setView({ state })}
            options={[
              { value: "", label: strings.anyState },
              ...flagStates.map((state) => ({ value: state, label: strings.states[state] })),
            ]}
          />
        </>
      }
      isFiltered={Boolean(view.state)}
      refusal={refusal}
      onAdd={() => setAdds(true)}
    >
      {adds && <NewFlag onClose={() => setAdds(false)} />}
    </ListPage>
  );
}

/** Queries all flags in a state. */
const useFlagsIn = (state: FlagState, options: { enabled: boolean }) => useWholeList<Schemas["Flag"]>("/v1/ota/flags", { state }, options);
