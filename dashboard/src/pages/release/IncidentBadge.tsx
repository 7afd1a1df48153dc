import { Link } from "@tanstack/react-router";
import type { Schemas } from "@/api/client";
import { useOverview } from "@/api/overview";
import { pageLength } from "@/api/pages";
import { useApi, useProject } from "@/api/project";
import { Badge } from "@/ui/Badge";
import { strings } from "./strings";

/** Shows that the release has open incidents, as a link to the incidents. It asks for them only if the overview counts any. */
export function IncidentBadge({ release }: { release: Schemas["Update"] }) {
  const { slug } = useProject();
  const isAny = useOverview().data?.some((row) => row.incidents > 0) ?? false;
  const query = useApi().useQuery("get", "/v1/ota/telemetry/incidents", { params: { query: { status: "open", search: release.updateUuid, limit: pageLength } } }, { enabled: isAny });
  const open = isAny ? (query.data ?? []).filter((incident) => incident.updateId === release.id).length : 0;
  if (open === 0) return null;
  return (
    <Link to="/$project/incidents" params={{ project: slug }} search={{ status: "open" }} className="inline-flex min-h-6 items-center rounded">
      <Badge tone="bad">{strings.incidents(open)}</Badge>
    </Link>
  );
}
