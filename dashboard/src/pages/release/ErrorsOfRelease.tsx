import { Link } from "@tanstack/react-router";
import type { Schemas } from "@/api/client";
import { useApi, useProject } from "@/api/project";
import { compact } from "@/format/format";
import { Badge, type Tone } from "@/ui/Badge";
import { Panel } from "@/ui/Panel";
import { Time } from "@/ui/Time";
import { strings } from "./strings";

const most = 8;
const tones: Record<Schemas["ErrorGroup"]["state"], Tone> = { new: "bad", regressed: "warn", ongoing: "plain" };

/** Lists the errors that affect the most devices on this release. */
export function ErrorsOfRelease({ uuid }: { uuid: string }) {
  const { slug: project } = useProject();
  const query = useApi().useQuery("get", "/v1/ota/observe/groups", { params: { query: { updateUuid: uuid, sort: "devices", limit: most } } });
  return (
    <Panel
      title={strings.errors.title}
      query={query}
      flush
      isEmpty={(groups) => groups.length === 0}
      empty={<p className="p-3 text-muted">{strings.errors.none}</p>}
      actions={
        <Link to="/$project/observe" params={{ project }} search={{ updateUuid: uuid }} className="text-xs text-link hover:underline">
          {strings.errors.all}
        </Link>
      }
    >
      {(groups) => (
        <ul className="divide-y">
          {groups.map((group) => (
            <li key={group.fingerprint} className="flex items-start gap-3 px-3 py-2">
              <div className="min-w-0 flex-1">
                <Link
                  to="/$project/observe/$fingerprint"
                  params={{ project, fingerprint: group.fingerprint }}
                  className="block truncate font-medium hover:underline"
                >
                  {group.errorName}
                  <span className="font-normal text-muted"> {group.message}</span>
                </Link>
                <p className="truncate text-xs text-muted">
                  {strings.errors.of(compact(group.devices), compact(group.events))} · <Time at={group.lastSeenAt} />
                </p>
              </div>
              <Badge tone={tones[group.state]}>{strings.errors.states[group.state]}</Badge>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
