import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { isPending, useChange } from "@/api/change";
import type { Schemas } from "@/api/client";
import { useProject } from "@/api/project";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Failure } from "@/ui/Failure";
import { Field, fieldError } from "@/ui/Field";
import { Select } from "@/ui/Select";
import { strings } from "./strings";

type Flag = Schemas["Flag"];
type Type = Flag["flagType"];

const text = strings.form;

/** Makes a flag; its rules come on its own page. */
export function NewFlag({ onClose }: { onClose: () => void }) {
  const { slug: project } = useProject();
  const navigate = useNavigate();
  const [draft, setDraft] = useState({ key: "", name: "", description: "", flagType: "boolean" as Type, defaultValue: "", other: "" });
  const isBoolean = draft.flagType === "boolean";
  const create = useChange<void, unknown>({
    run: (client, _input, key) => client.POST("/v1/ota/flags", { params: { header: { "Idempotency-Key": key } }, body: bodyOf(draft) }),
    done: strings.created,
    onDone: (output) => {
      onClose();
      if (!isPending(output)) void navigate({ to: "/$project/flags/$id", params: { project, id: String((output as Flag).id) } });
    },
  });
  const input = (name: "key" | "name" | "description" | "defaultValue" | "other", mono = false) => (
    <input className={mono ? "field font-mono" : "field"} value={draft[name]} spellCheck={false} onChange={(event) => setDraft({ ...draft, [name]: event.target.value })} />
  );
  return (
    <Dialog open onClose={onClose} title={strings.add}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!create.isPending) create.mutate();
        }}
      >
        <Field label={text.key} hint={text.keyHint} error={fieldError(create.error, "key")}>
          {input("key", true)}
        </Field>
        <Field label={text.name} error={fieldError(create.error, "name")}>
          {input("name")}
        </Field>
        <Field label={text.description} error={fieldError(create.error, "description")}>
          {input("description")}
        </Field>
        <Field label={text.type}>
          <Select
            className="w-full"
            value={draft.flagType}
            onChange={(flagType) => setDraft({ ...draft, flagType: flagType as Type })}
            options={Object.entries(text.types).map(([value, label]) => ({ value, label }))}
          />
        </Field>
        {!isBoolean && (
          <div className="grid gap-4 sm:grid-cols-2">
            <Field label={text.defaultValue} hint={text.defaultHint} error={fieldError(create.error, "defaultValue")}>
              {input("defaultValue", true)}
            </Field>
            <Field label={text.other} hint={text.otherHint} error={fieldError(create.error, "variations[1].value")}>
              {input("other", true)}
            </Field>
          </div>
        )}
        {create.error && <Failure error={create.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button kind="primary" type="submit" busy={create.isPending}>
            {text.create}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function bodyOf(draft: { key: string; name: string; description: string; flagType: Type; defaultValue: string; other: string }): Schemas["CreateFlagBody"] {
  const { flagType, defaultValue, other } = draft;
  const body = { key: draft.key.trim() || undefined, name: draft.name.trim() || undefined, description: draft.description.trim() || undefined, flagType };
  if (flagType === "boolean") return body;
  const values = other ? [defaultValue, other] : [defaultValue];
  return { ...body, defaultValue, variations: values.map((value) => ({ name: value.slice(0, 60) || "Empty", value })) };
}
