import type { Schemas } from "@/api/client";
import { pageLength } from "@/api/pages";
import { useApi } from "@/api/project";
import { releaseLabels } from "@/format/releaseName";
import { ErrorLine } from "@/pages/release/ErrorLine";
import { count } from "@/format/format";
import { Panel } from "@/ui/Panel";
import { onlyIn } from "./onlyIn";
import { strings } from "./strings";

type Release = Schemas["Update"];

/** The number of errors that a list shows. */
const shown = 10;

function useErrors({ updateUuid }: Release) {
  return useApi().useQuery("get", "/v1/ota/observe/groups", { params: { query: { updateUuid, sort: "-devices", limit: pageLength } } });
}

/** Lists the errors that devices reported on one of the releases and not on the other, in the last 24 hours. */
export function ErrorsOfOne({ releases }: { releases: readonly [Release, Release] }) {
  const queries = [useErrors(releases[0]), useErrors(releases[1])] as const;
  const labels = releaseLabels([...releases]);
  const isCut = queries.some(({ data }) => data?.length === pageLength);
  return (
    <div className="grid gap-4 md:grid-cols-2">
      {releases.map((release, index) => {
        const own = queries[index === 0 ? 0 : 1];
        const other = queries[index === 0 ? 1 : 0];
        return (
          <Panel key={release.id} title={strings.errors.only(labels.get(release.id) ?? "")} query={own.data ? other : own} flush>
            {(others) => <Errors groups={onlyIn(own.data ?? [], others, ({ fingerprint }) => fingerprint)} isCut={isCut} />}
          </Panel>
        );
      })}
    </div>
  );
}

function Errors({ groups, isCut }: { groups: Schemas["ErrorGroup"][]; isCut: boolean }) {
  const notes = [
    groups.length === 0 && strings.errors.none,
    groups.length > shown && strings.errors.more(count(shown), count(groups.length)),
    isCut && strings.errors.cut(count(pageLength)),
  ].filter(Boolean);
  return (
    <>
      <ul className="divide-y">
        {groups.slice(0, shown).map((group) => (
          <ErrorLine key={group.fingerprint} group={group} />
        ))}
      </ul>
      {notes.length > 0 && <p className="p-3 text-muted">{notes.join(" ")}</p>}
    </>
  );
}
