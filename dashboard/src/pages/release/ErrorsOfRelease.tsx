import { Link } from "@tanstack/react-router";
import { useApi, useProject } from "@/api/project";
import { Panel } from "@/ui/Panel";
import { ErrorLine } from "./ErrorLine";
import { strings } from "./strings";

const most = 8;

/** Lists the errors that affect the most devices on this release. */
export function ErrorsOfRelease({ uuid }: { uuid: string }) {
  const { slug: project } = useProject();
  const query = useApi().useQuery("get", "/v1/ota/observe/groups", { params: { query: { updateUuid: uuid, sort: "-devices", limit: most } } });
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
            <ErrorLine key={group.fingerprint} group={group} />
          ))}
        </ul>
      )}
    </Panel>
  );
}
