import { useNavigate } from "@tanstack/react-router";
import { useWatch } from "react-hook-form";
import { isPending, useChange } from "@/api/change";
import type { Schemas } from "@/api/client";
import { useProject } from "@/api/project";
import { Choice } from "@/form/Choice";
import { FormDialog } from "@/form/FormDialog";
import { Input } from "@/form/Input";
import { useFields } from "@/form/useFields";
import { strings } from "./strings";

type Flag = Schemas["Flag"];

interface Draft {
  key: string;
  name: string;
  description: string;
  flagType: Flag["flagType"];
  defaultValue: string;
  other: string;
}

const text = strings.form;
const types = Object.entries(text.types).map(([value, label]) => ({ value, label }));
const names: Record<string, string> = { "variations[0].value": "defaultValue", "variations[1].value": "other" };

/** The dialog that creates a flag. Its rules are added on the flag's page. */
export function NewFlag({ onClose }: { onClose: () => void }) {
  const { slug: project } = useProject();
  const navigate = useNavigate();
  const create = useChange<Draft, unknown>({
    run: (client, draft, key) => client.POST("/v1/ota/flags", { params: { header: { "Idempotency-Key": key } }, body: bodyOf(draft) }),
    done: strings.created,
    onDone: (output) => {
      onClose();
      if (!isPending(output)) void navigate({ to: "/$project/flags/$id", params: { project, id: String((output as Flag).id) } });
    },
  });
  const fields = useFields<Draft>({
    defaults: { key: "", name: "", description: "", flagType: "boolean", defaultValue: "", other: "" },
    submit: create.mutate,
    problem: create.error,
    rename: (field) => names[field] ?? field,
  });
  const flagType = useWatch({ control: fields.form.control, name: "flagType" });
  const code = { className: "font-mono", spellCheck: false, autoCapitalize: "off" };
  return (
    <FormDialog fields={fields} title={strings.add} submit={text.create} busy={create.isPending} onClose={onClose}>
      <Input of={fields} name="key" label={text.key} hint={text.keyHint} {...code} />
      <Input of={fields} name="name" label={text.name} />
      <Input of={fields} name="description" label={text.description} />
      <Choice of={fields} name="flagType" label={text.type} options={types} />
      {flagType !== "boolean" && (
        <div className="grid gap-4 sm:grid-cols-2">
          <Input of={fields} name="defaultValue" label={text.defaultValue} hint={text.defaultHint} {...code} />
          <Input of={fields} name="other" label={text.other} hint={text.otherHint} {...code} />
        </div>
      )}
    </FormDialog>
  );
}

function bodyOf({ flagType, defaultValue, other, ...draft }: Draft): Schemas["CreateFlagBody"] {
  const body = { key: draft.key.trim() || undefined, name: draft.name.trim() || undefined, description: draft.description.trim() || undefined, flagType };
  if (flagType === "boolean") return body;
  const values = other ? [defaultValue, other] : [defaultValue];
  return { ...body, defaultValue, variations: values.map((value) => ({ name: value.slice(0, 60) || "Empty", value })) };
}
