import type { Schemas } from "@/api/client";
import type { usePages } from "@/api/pages";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { ReleaseLink } from "@/ui/ReleaseLink";
import { nameOf } from "./sentence";
import type { Flag } from "./draft";
import { strings } from "./strings";

const text = strings.releases;

/** Lists the releases that set the flag, newest first, with the value that each gives it. */
export function LinkingReleases({ flag: { id: flagId, variations }, query }: { flag: Flag; query: ReturnType<typeof usePages<Schemas["Update"]>> }) {
  return (
    <Panel title={text.title} query={query} placeholder="h-16" isEmpty={(rows) => rows.length === 0} empty={<p className="text-muted">{text.none}</p>}>
      {(rows) => (
        <div className="flex flex-col items-start gap-2">
          <ul className="flex max-h-80 w-full flex-col gap-1.5 overflow-y-auto">
            {rows.map((row) => {
              const link = row.linkedFlags.find((each) => each.flagId === flagId);
              return (
                <li key={row.id} className="break-words">
                  <ReleaseLink release={row} /> {link && <span className="text-muted">{link.enabled ? text.is(nameOf(link.value, variations)) : text.off}</span>}
                </li>
              );
            })}
          </ul>
          {query.more && (
            <Button size="sm" onClick={query.more}>
              {text.more}
            </Button>
          )}
        </div>
      )}
    </Panel>
  );
}
