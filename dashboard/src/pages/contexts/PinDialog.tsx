import { useState } from "react";
import { useChange } from "@/api/change";
import type { Schemas } from "@/api/client";
import { attributesOf } from "@/targeting/context";
import { strings as frame } from "@/strings";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Field, fieldError } from "@/ui/Field";
import { Select } from "@/ui/Select";
import { NotDone } from "@/ui/NotDone";
import { strings } from "./strings";

type Context = Schemas["Context"];

/** The dialog to enter a context manually, or to pin an existing context. */
export function PinDialog({ context, onClose }: { context?: Context; onClose: () => void }) {
  const [draft, setDraft] = useState({
    kind: context?.kind ?? "user",
    targetingKey: context?.targetingKey ?? "",
    name: context?.name ?? "",
    attributes: context && Object.keys(context.attributes as object).length > 0 ? JSON.stringify(context.attributes, null, 2) : "",
  });
  const attributes = attributesOf(draft.attributes);
  const save = useChange<void, unknown>({
    run: (client, _input, key) =>
      client.POST("/v1/ota/contexts", {
        params: { header: { "Idempotency-Key": key } },
        body: {
          kind: draft.kind,
          targetingKey: draft.targetingKey.trim(),
          name: draft.name.trim() || undefined,
          attributes: (attributes ?? {}) as Schemas["CreateContextBody"]["attributes"],
        },
      }),
    done: strings.saved,
    onDone: onClose,
  });
  const held = save.isPending ? frame.dialog.busy : null;
  return (
    <Dialog open held={held} onClose={onClose} title={strings.add} text={strings.addText}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (attributes && !save.isPending) save.mutate();
        }}
      >
        <Field label={strings.kind}>
          <Select
            className="w-full"
            value={draft.kind}
            disabled={context !== undefined}
            onChange={(kind) => setDraft({ ...draft, kind: kind as Context["kind"] })}
            options={Object.entries(strings.kinds).map(([value, label]) => ({ value, label }))}
          />
        </Field>
        <Field label={strings.key} error={fieldError(save.error, "targetingKey")}>
          <input
            className="field"
            required
            spellCheck={false}
            disabled={context !== undefined}
            value={draft.targetingKey}
            onChange={(event) => setDraft({ ...draft, targetingKey: event.target.value })}
          />
        </Field>
        <Field label={strings.name} error={fieldError(save.error, "name")}>
          <input className="field" value={draft.name} onChange={(event) => setDraft({ ...draft, name: event.target.value })} />
        </Field>
        <Field label={strings.attributes} error={attributes ? fieldError(save.error, "attributes") : strings.notJSON}>
          <textarea
            className="field h-32 py-1.5 font-mono text-xs"
            spellCheck={false}
            value={draft.attributes}
            onChange={(event) => setDraft({ ...draft, attributes: event.target.value })}
          />
        </Field>
        {save.error && <NotDone problem={save.error} />}
        <div className="flex justify-end gap-2">
          <Button refusal={held} onClick={onClose}>
            {strings.cancel}
          </Button>
          <Button kind="primary" type="submit" busy={save.isPending} refusal={attributes ? null : strings.notJSON}>
            {strings.pin}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
