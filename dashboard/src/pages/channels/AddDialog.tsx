import { useChange } from "@/api/change";
import { FormDialog } from "@/form/FormDialog";
import { Input } from "@/form/Input";
import { RecordChoice } from "@/form/RecordChoice";
import { useFields } from "@/form/useFields";
import { strings as frame } from "@/strings";
import { strings } from "./strings";

const { actions: text } = strings;

interface Draft {
  name: string;
  branchName: string;
}

/** The dialog that creates a channel or a branch. */
export function AddDialog({ what, onClose }: { what: "channel" | "branch"; onClose: () => void }) {
  const add = useChange<Draft, unknown>({
    run: (client, { name, branchName }, key): Promise<{ data?: unknown }> => {
      const params = { header: { "Idempotency-Key": key } };
      return what === "branch"
        ? client.POST("/v1/ota/branches", { params, body: { name } })
        : client.POST("/v1/ota/channels", { params, body: { name, ...(branchName && { branchName }) } });
    },
    done: text.done.add[what],
    onDone: onClose,
  });
  const fields = useFields<Draft>({ defaults: { name: "", branchName: "" }, submit: add.mutate, problem: add.error });
  return (
    <FormDialog fields={fields} title={what === "branch" ? text.addBranch : text.add} submit={frame.dialog.save} busy={add.isPending} onClose={onClose}>
      <Input of={fields} name="name" label={text.name} autoComplete="off" rules={{ required: frame.form.required }} />
      {what === "channel" && (
        <RecordChoice of={fields} name="branchName" record="branch" label={text.branch} none={text.sameName} />
      )}
    </FormDialog>
  );
}
