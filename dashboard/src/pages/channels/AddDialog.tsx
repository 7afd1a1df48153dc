import { useState } from "react";
import { useChange } from "@/api/change";
import type { Schemas } from "@/api/client";
import { strings as frame } from "@/strings";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Field, fieldError } from "@/ui/Field";
import { Select } from "@/ui/Select";
import { NotDone } from "@/ui/NotDone";
import { strings } from "./strings";

const { actions: text } = strings;

/** Makes a channel or a branch. */
export function AddDialog({ what, branches, onClose }: { what: "channel" | "branch"; branches: Schemas["Branch"][]; onClose: () => void }) {
  const [name, setName] = useState("");
  const [branchName, setBranchName] = useState("");
  const add = useChange<void, unknown>({
    run: (client, _input, key): Promise<{ data?: unknown }> => {
      const params = { header: { "Idempotency-Key": key } };
      return what === "branch"
        ? client.POST("/v1/ota/branches", { params, body: { name } })
        : client.POST("/v1/ota/channels", { params, body: { name, ...(branchName && { branchName }) } });
    },
    done: text.done.add,
    onDone: onClose,
  });
  return (
    <Dialog open onClose={onClose} title={what === "branch" ? text.addBranch : text.add}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          add.mutate();
        }}
      >
        <Field label={text.name} error={fieldError(add.error, "name")}>
          <input className="field" required value={name} autoComplete="off" onChange={(event) => setName(event.target.value)} />
        </Field>
        {what === "channel" && (
          <Field label={text.branch} error={fieldError(add.error, "branchName")}>
            <Select
              value={branchName}
              onChange={setBranchName}
              options={[{ value: "", label: text.sameName }, ...branches.map((each) => ({ value: each.name, label: each.name }))]}
              className="w-full"
            />
          </Field>
        )}
        {add.error && add.error.fields.length === 0 && <NotDone problem={add.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{frame.dialog.cancel}</Button>
          <Button kind="primary" type="submit" busy={add.isPending}>
            {frame.dialog.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
