import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useChange } from "@/api/change";
import type { Schemas } from "@/api/client";
import { useProject } from "@/api/project";
import { ConditionRows } from "@/targeting/ConditionRows";
import { Estimate } from "@/targeting/Estimate";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Failure } from "@/ui/Failure";
import { Field, fieldError } from "@/ui/Field";
import { Select } from "@/ui/Select";
import { bodyOf, draftOf, isComplete } from "./draft";
import { strings } from "./strings";

type Segment = Schemas["Segment"];

/** Makes a segment or changes one, with the number of devices that are in it as it is edited. */
export function Editor({ segment, onClose }: { segment?: Segment; onClose: () => void }) {
  const { client } = useProject();
  const [draft, setDraft] = useState(() => draftOf(segment));
  // The ETag of the segment as it was opened; saving names it.
  const opened = useQuery({
    queryKey: ["segment-as-opened", segment?.id, segment?.updatedAt],
    enabled: segment !== undefined,
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    queryFn: async ({ signal }) => (await client.GET("/v1/ota/segments/{id}", { params: { path: { id: segment!.id } }, signal })).response.headers.get("ETag"),
  });
  const [etag, setEtag] = useState<string | null>(null);
  if (etag === null && opened.data) setEtag(opened.data);
  const save = useChange<void, unknown>({
    run: (client, _input, key): Promise<{ data?: unknown }> =>
      segment
        ? client.PATCH("/v1/ota/segments/{id}", {
            params: { path: { id: segment.id }, header: etag ? { "If-Match": etag } : {} },
            body: bodyOf(draft, false),
          })
        : client.POST("/v1/ota/segments", { params: { header: { "Idempotency-Key": key } }, body: bodyOf(draft, true) }),
    done: strings.saved,
    onDone: onClose,
  });
  const refusal = isComplete(draft) ? null : strings.unready;
  const input = (name: "name" | "key" | "description") => <input className="field" value={draft[name]} onChange={(event) => setDraft({ ...draft, [name]: event.target.value })} />;
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={segment?.name ?? strings.add}
      footer={
        <>
          <Button onClick={onClose}>{strings.cancel}</Button>
          <Button kind="primary" refusal={refusal} busy={save.isPending} onClick={() => save.mutate()}>
            {strings.save}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <div className="grid gap-3 sm:grid-cols-2">
          <Field label={strings.name} error={fieldError(save.error, "name")}>
            {input("name")}
          </Field>
          {segment ? (
            <div className="flex flex-col gap-1">
              <span className="text-xs font-medium">{strings.key}</span>
              <span className="py-1.5 font-mono text-xs break-all">{segment.key}</span>
            </div>
          ) : (
            <Field label={strings.key} hint={strings.keyHint} error={fieldError(save.error, "key")}>
              {input("key")}
            </Field>
          )}
        </div>
        <Field label={strings.description} error={fieldError(save.error, "description")}>
          {input("description")}
        </Field>
        <Field label={strings.match}>
          <Select
            value={draft.matchType}
            onChange={(matchType) => setDraft({ ...draft, matchType: matchType as "all" | "any" })}
            options={Object.entries(strings.matches).map(([value, label]) => ({ value, label }))}
          />
        </Field>
        <ConditionRows conditions={draft.conditions} problem={save.error} path="conditions" onChange={(conditions) => setDraft({ ...draft, conditions })} />
        <Estimate conditions={draft.conditions} matchType={draft.matchType} />
        {save.error && (save.error.status === 412 ? <p role="alert" className="rounded-lg bg-warn-soft px-3 py-2 text-warn">{strings.faster}</p> : <Failure error={save.error} />)}
      </div>
    </Dialog>
  );
}
