import { useId, useState, type ReactNode } from "react";
import { actorName } from "@/format/actions";
import { ago, sentence } from "@/format/format";
import { releaseName } from "@/format/releaseName";
import { Failure } from "@/ui/Failure";
import { Placeholder } from "@/ui/Panel";
import { SearchField } from "@/ui/SearchField";
import { Option } from "./Option";
import { strings } from "./strings";
import { isSameBuild, keyOf, listed, type Release, type Target } from "./target";
import { useEarlier } from "./useTargets";

interface Props {
  release: Release;
  /** null if the release was published to a branch: then only its rollout can be rolled back. */
  channel: string | null;
  target: Target;
  /** The preselected release, if it exists. */
  first: Release | undefined;
  onChoose: (target: Target) => void;
}

type Options = Pick<Props, "target" | "onChoose"> & { name: string };

/** Returns a function that renders the option of a target. */
function optionsOf({ name, target, onChoose }: Options) {
  return (each: Target, label: string, small?: ReactNode, aside?: string) => (
    <Option key={keyOf(each)} name={name} checked={keyOf(each) === keyOf(target)} onChoose={() => onChoose(each)} label={label} aside={aside}>
      {small}
    </Option>
  );
}

/** Lists what devices can go back to. Releases that were turned off are below a line. */
export function Targets({ release, channel, target, first, onChoose }: Props) {
  const name = useId();
  const option = optionsOf({ name, target, onChoose });
  return (
    <fieldset className="flex min-w-0 flex-col gap-1">
      <legend className="mb-1 text-xs font-medium">{strings.goBackTo}</legend>
      {release.rolloutExecutionId !== null && (
        <>
          <Heading>{strings.rollout}</Heading>
          {option({ kind: "undo" }, strings.undo, strings.undoText)}
          {release.linkedFlags.map((flag) => option({ kind: "flag", flagId: flag.flagId }, strings.flag(flag.flagKey), strings.flagText))}
          {option({ kind: "channel" }, strings.wholeChannel(channel), strings.wholeChannelText)}
          {channel !== null && <Heading>{strings.releases}</Heading>}
        </>
      )}
      {channel !== null && <EarlierReleases {...{ release, target, first, onChoose, name }} />}
    </fieldset>
  );
}

/** Lists the earlier releases and the embedded update, with a search on the server. */
function EarlierReleases({ release, first, ...choice }: Options & Pick<Props, "release" | "first">) {
  const option = optionsOf(choice);
  const [search, setSearch] = useState("");
  const enabled = useEarlier(release, search, true);
  const disabled = useEarlier(release, search, false);
  const named = (each: Release, small?: ReactNode) =>
    option({ kind: "release", release: each }, releaseName(each), small, strings.number(each.id, each.gitCommitHash));
  const failed = enabled.error ?? disabled.error;
  return (
    <>
      {/* Enter in the search must not confirm the rollback. */}
      <div onKeyDown={(event) => event.key === "Enter" && event.target instanceof HTMLInputElement && event.target.type === "search" && event.preventDefault()}>
        <SearchField label={strings.search} value={search} onSearch={setSearch} />
      </div>
      {failed ? (
        <Failure error={failed} onRetry={() => void Promise.all([enabled.refetch(), disabled.refetch()])} />
      ) : !enabled.data || !disabled.data ? (
        <Placeholder />
      ) : (
        <div className="max-h-64 overflow-y-auto rounded-md border p-1" role="group" aria-label={strings.releases}>
          {enabled.data.length === 0 && <p className="px-2 py-1.5 text-muted">{search ? strings.noMatch : strings.none}</p>}
          {listed(enabled.data, first, search).map((each) => named(each, [ago(each.createdAt), isSameBuild(release, each) && strings.sameBuild].filter(Boolean).join(" · ")))}
          {option({ kind: "embedded" }, strings.embedded, strings.embeddedText)}
          {disabled.data.length > 0 && (
            <div role="group" aria-label={strings.disabled} className="mt-1 border-t pt-1">
              <Heading>{strings.disabled}</Heading>
              {disabled.data.map((each) => named(each, <Disabling release={each} />))}
            </div>
          )}
          {(enabled.isCut || disabled.isCut) && <p className="px-2 py-1.5 text-xs text-faint">{strings.more}</p>}
        </div>
      )}
    </>
  );
}

function Heading({ children }: { children: string }) {
  return <p className="px-2 pt-1 text-xs text-muted">{children}</p>;
}

/** Shows the time, the actor and the reason of turning a release off. */
function Disabling({ release }: { release: Release }) {
  const { disabledAt, disabledBy, disabledReason } = release;
  if (!disabledAt || !disabledBy) return null;
  const who = actorName(disabledBy.type === "system" ? disabledBy.type : disabledBy.name);
  return [strings.disabledBy(who, ago(disabledAt)), disabledReason && sentence(disabledReason)].filter(Boolean).join(". ");
}
