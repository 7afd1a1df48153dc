import { useState } from "react";
import { useChange } from "@/api/change";
import type { Schemas } from "@/api/client";
import { bytes } from "@/format/format";
import { strings as frame } from "@/strings";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Field } from "@/ui/Field";
import { NotDone } from "@/ui/NotDone";
import { strings } from "./strings";

const { sourceMap: text } = strings;

/** The dialog that uploads the source map of a build. */
export function SourceMapDialog({ build, onClose }: { build: Schemas["Build"]; onClose: () => void }) {
  const [file, setFile] = useState<File | null>(null);
  const add = useChange<File, unknown>({
    run: (client, body) =>
      client.PUT("/v1/ota/builds/{id}/sourcemap", {
        params: { path: { id: build.id } },
        headers: { "Content-Type": "application/octet-stream" },
        body: body as unknown as string,
        bodySerializer: (each) => each,
      }),
    subject: strings.actions.sourceMap,
    done: text.done,
    onDone: onClose,
  });
  const held = add.isPending ? frame.dialog.busy : null;
  return (
    <Dialog
      open
      held={held}
      onClose={onClose}
      title={`${build.sourceMapBytes > 0 ? strings.actions.replaceSourceMap : strings.actions.sourceMap}: ${strings.name(build.id, build.message)}`}
      text={text.text}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (file) add.mutate(file);
        }}
      >
        {build.sourceMapBytes > 0 && <p>{text.present(bytes(build.sourceMapBytes))}</p>}
        <Field label={text.file} hint={text.hint}>
          <input type="file" accept=".map,.json,application/json" className="field py-1.5" onChange={(event) => setFile(event.target.files?.[0] ?? null)} />
        </Field>
        {add.error && <NotDone problem={add.error} />}
        <div className="flex flex-wrap justify-end gap-2">
          <Button refusal={held} onClick={onClose}>
            {frame.dialog.cancel}
          </Button>
          <Button kind="primary" type="submit" busy={add.isPending} refusal={file ? null : text.needed}>
            {text.confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
