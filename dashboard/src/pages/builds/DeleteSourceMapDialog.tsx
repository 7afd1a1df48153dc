import type { Schemas } from "@/api/client";
import { bytes } from "@/format/format";
import { DangerDialog } from "@/ui/DangerDialog";
import { strings } from "./strings";

/** Asks before the source map of a build is deleted. */
export function DeleteSourceMapDialog({ build, onClose }: { build: Schemas["Build"]; onClose: () => void }) {
  return (
    <DangerDialog
      onClose={onClose}
      title={`${strings.actions.removeSourceMap}: ${strings.name(build.id, build.message)}`}
      text={strings.sourceMap.removeText(bytes(build.sourceMapBytes))}
      confirm={strings.remove.confirm}
      done={strings.sourceMap.removed}
      run={(client) => client.DELETE("/v1/ota/builds/{id}/sourcemap", { params: { path: { id: build.id } } })}
    />
  );
}
