import { Link } from "@tanstack/react-router";
import type { Schemas } from "@/api/client";
import { useProject } from "@/api/project";
import { releaseName } from "@/format/releaseName";
import { DangerDialog } from "@/ui/DangerDialog";
import { ReleaseNumber } from "@/ui/ReleaseNumber";
import { strings } from "./strings";

const { remove: text } = strings;

/** Asks before a build is deleted. For a build with releases, it shows them instead, because they need the build. */
export function DeleteDialog({ build, onClose }: { build: Schemas["Build"]; onClose: () => void }) {
  const { slug: project } = useProject();
  const inUse = build.releases.length > 0 ? text.inUse : null;
  return (
    <DangerDialog
      onClose={onClose}
      title={`${strings.actions.remove}: ${strings.name(build.id, build.message)}`}
      text={inUse ?? text.text}
      confirm={text.confirm}
      refusal={inUse}
      done={text.done}
      run={(client) => client.DELETE("/v1/ota/builds/{id}", { params: { path: { id: build.id } } })}
    >
      {inUse && (
        <ul aria-label={text.releases} className="list-disc pl-5">
          {build.releases.map((release) => (
            <li key={release.updateId} className="break-words">
              <Link to="/$project/releases/$id" params={{ project, id: String(release.updateId) }} className="text-link underline underline-offset-2">
                {releaseName({ ...release, runtimeVersion: build.runtimeVersion })}
              </Link>{" "}
              <ReleaseNumber id={release.updateId} />{" "}
              <span className="text-muted">{release.channel ?? strings.toBranch(release.branchName)}</span>
            </li>
          ))}
          {build.hasMoreReleases && <li className="text-muted">{strings.more}</li>}
        </ul>
      )}
    </DangerDialog>
  );
}
