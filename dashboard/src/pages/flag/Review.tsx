import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useChange } from "@/api/change";
import type { Schemas } from "@/api/client";
import { useApi, useProject } from "@/api/project";
import { actorTitle } from "@/format/actions";
import { strings as shared } from "@/strings";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Field } from "@/ui/Field";
import { NotDone } from "@/ui/NotDone";
import { Time } from "@/ui/Time";
import { TimeInput } from "@/ui/TimeInput";
import { useInZone } from "@/ui/useInZone";
import type { Change } from "./diff";
import type { Draft } from "./draft";
import { FlagEffect } from "./FlagEffect";
import { flagBody } from "./save";
import { scheduleStrings } from "./scheduleStrings";
import { strings } from "./strings";

const text = strings.diff;

interface Props {
  flagId: number;
  flagKey: string;
  etag: string;
  draft: Draft;
  changes: Change[];
  onClose: () => void;
  onSaved: () => Promise<void>;
  onReload: () => Promise<void>;
  onRebase: () => Promise<void>;
}

/** Shows the changes and their effect before they are saved. If someone else has changed the flag, names them, and does not save. */
export function Review({ flagId, flagKey, etag, draft, changes, onClose, onSaved, onReload, onRebase }: Props) {
  const { client } = useProject();
  const body = flagBody(draft);
  const effect = useQuery({
    queryKey: ["flag preview", flagId, etag, body],
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchInterval: false,
    queryFn: async ({ signal }) =>
      (await client.POST("/v1/ota/flags/{id}/preview", { params: { path: { id: flagId } }, body, signal })).data as Schemas["FlagPreview"],
  });
  const unready = changes.length === 0 ? strings.unchanged : effect.data === undefined && !effect.error ? text.counting : null;
  // The time of a scheduled change, empty until it is entered; null saves now.
  const [at, setAt] = useState<string | null>(null);
  const isLater = at !== null;
  const save = useChange<void, unknown>({
    subject: (isLater ? scheduleStrings : text).subject(flagKey),
    run: (sender, _, key) => {
      const path = { id: flagId };
      if (at === null) return sender.PUT("/v1/ota/flags/{id}", { params: { path, header: { "If-Match": etag } }, body });
      return sender.POST("/v1/ota/flags/{id}/schedule", { params: { path, header: { "If-Match": etag, "Idempotency-Key": key } }, body: { at, body } });
    },
    done: isLater ? scheduleStrings.scheduled : strings.saved,
    onDone: () => void onSaved().then(onClose),
  });
  const isLate = save.error?.status === 412;
  const isBusy = save.isPending || save.isSuccess; // after saving, the flag is loaded again
  const noTime = at === "" ? scheduleStrings.noTime : null;
  const held = isBusy ? shared.dialog.busy : null;
  return (
    <Dialog
      open
      wide
      held={held}
      onClose={onClose}
      title={text.title}
      footer={
        <>
          <Button refusal={held} onClick={onClose}>{text.back}</Button>
          {!isLate && (
            <Button kind="primary" busy={isBusy} refusal={unready ?? noTime} onClick={() => save.mutate()}>
              {isLater ? (isBusy ? scheduleStrings.scheduling : scheduleStrings.schedule) : isBusy ? text.saving : text.save}
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-3">
        {isLate && <Faster flagId={flagId} onReload={() => void onReload().then(onClose)} onRebase={() => void onRebase().then(() => save.reset())} />}
        {save.error && !isLate && <NotDone problem={save.error} title={save.error.isUnanswered ? undefined : strings.notSaved} />}
        {/* The effect is below the choice, because it grows when it is loaded. */}
        {!isLate && <When flagId={flagId} at={at} onChange={setAt} />}
        {!isLate && <FlagEffect query={effect} />}
        <ul className="flex flex-col gap-3">
          {changes.map((change, index) => (
            <li key={index} className="min-w-0">
              <p className="text-xs font-medium">{change.what}</p>
              <p className="rounded-t-md bg-bad-soft px-2 py-1 break-words text-bad">
                <span aria-hidden>{"− "}</span>
                <span className="sr-only">{`${text.before}: `}</span>
                {change.before === null ? text.nothing : change.before || "—"}
              </p>
              <p className="rounded-b-md bg-ok-soft px-2 py-1 break-words text-ok">
                <span aria-hidden>{"+ "}</span>
                <span className="sr-only">{`${text.after}: `}</span>
                {change.after === null ? text.nothing : change.after || "—"}
              </p>
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  );
}

/** Offers to save the flag now or at a time. */
function When({ flagId, at, onChange }: { flagId: number; at: string | null; onChange: (at: string | null) => void }) {
  const inZone = useInZone();
  const isLater = at !== null;
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="text-xs font-medium">{scheduleStrings.when}</legend>
      <div className="flex gap-4">
        {[false, true].map((later) => (
          <label key={String(later)} className="flex items-center gap-2">
            <input type="radio" name="when" checked={isLater === later} onChange={() => onChange(later ? "" : null)} />
            {later ? scheduleStrings.later : scheduleStrings.now}
          </label>
        ))}
      </div>
      {isLater && (
        <Field label={inZone(scheduleStrings.at)} hint={scheduleStrings.hint}>
          <TimeInput value={at} onChange={onChange} />
        </Field>
      )}
      {isLater && <Others flagId={flagId} />}
    </fieldset>
  );
}

/** Warns of other changes of the flag that wait for their time. */
function Others({ flagId }: { flagId: number }) {
  const query = useApi().useQuery("get", "/v1/ota/flags/{id}/schedule", { params: { path: { id: flagId }, query: { limit: 20 } } });
  if (!query.data?.some(({ endedAt }) => endedAt === null)) return null;
  return <p className="rounded-md bg-warn-soft px-2 py-1.5 text-warn">{scheduleStrings.others}</p>;
}

/** Shows who changed the flag last, and offers to reapply your changes or to load the flag without them. */
export function Faster({ flagId, onReload, onRebase }: { flagId: number; onReload: () => void; onRebase: () => void }) {
  const api = useApi();
  const own = api.useQuery("get", "/v1/ota/audit-log", { params: { query: { entity_type: "flag", entity_id: String(flagId), limit: 1 } } });
  const log = api.useQuery("get", "/v1/ota/audit-log", { params: { query: { limit: 200 } } });
  const last = newestOf(own.data?.[0], log.data?.find((entry) => isOfPart(entry, flagId)));
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3 rounded-lg bg-warn-soft px-3 py-2 text-warn">
      <span className="min-w-0 flex-1">
        {strings.faster}{" "}
        {last && (
          <>
            {strings.fasterBy(actorTitle(last.actorName || last.actorId))} <Time at={last.createdAt} />.
          </>
        )}
      </span>
      <Button size="sm" onClick={onRebase}>
        {strings.rebase}
      </Button>
      <Button size="sm" onClick={onReload}>
        {strings.reload}
      </Button>
    </div>
  );
}

/** Reports whether an audit log entry is about a rule or a variation of the flag, or its state on a channel. */
function isOfPart(entry: Schemas["AuditEntry"], flagId: number): boolean {
  return entry.entityType !== "flag_schedule" && entry.details.flagId === flagId; // a schedule does not change the flag
}

function newestOf(...entries: (Schemas["AuditEntry"] | undefined)[]): Schemas["AuditEntry"] | undefined {
  return entries.filter((entry) => entry !== undefined).sort((a, b) => b.id - a.id)[0];
}
