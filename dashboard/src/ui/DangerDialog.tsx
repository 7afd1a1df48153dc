import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import type { ApiClient } from "@/api/client";
import { useChange } from "@/api/change";
import { asProblem, Problem } from "@/api/problem";
import { useProject } from "@/api/project";
import { sentence } from "@/format/format";
import { strings } from "@/strings";
import { Button } from "./Button";
import { Dialog } from "./Dialog";
import { Field } from "./Field";
import { NotDone } from "./NotDone";
import { Placeholder } from "./Panel";
import type { Effect } from "./effect";
import { PreviewOfEffect } from "./PreviewOfEffect";

interface Props {
  onClose: () => void;
  title: string;
  text?: ReactNode;
  /** Label of the confirm button: the verb of the action. Defaults to the title. */
  confirm?: string;
  /** True for an action that does not remove anything, such as an approval. Its button is not red. */
  isSafe?: boolean;
  /** Requests a preview of the effect from the server. null if the action has no preview. */
  preview?: ((client: ApiClient, signal: AbortSignal) => Promise<{ data?: unknown }>) | null;
  /** Describes the preview's number of devices, as in PreviewOfEffect. */
  affected?: ((count: number | null) => string) | null;
  /** Further values that the preview depends on. */
  previewKey?: unknown[];
  /** Text that must be typed to confirm: the channel's name for actions on a whole channel. */
  typeName?: string;
  /** Further fields between the effect and the reason. */
  children?: ReactNode;
  /** Why the action cannot be confirmed with the current field values, or null if it can. */
  refusal?: string | null;
  /** Shows a field for a reason: "optional" if the call accepts one, "needed" if it requires one. */
  reason?: "optional" | "needed";
  /** Shown instead of the error when someone else has changed the record. null if there is no such change. */
  overtaken?: ReactNode;
  /** Loads the record again when someone else has changed it. */
  refetch?: () => Promise<unknown>;
  run: (client: ApiClient, reason: string, idempotencyKey: string) => Promise<{ data?: unknown }>;
  /** The toast after success. Not needed if the page itself shows the result. */
  done?: string;
  onDone?: (output: unknown) => void;
}

/** How long the dialog waits for the preview, in milliseconds. During an outage, an emergency action must stay possible. */
const previewTime = 10_000;

/** Asks to confirm an action that cannot be undone with a click. Shows the effect first. */
export function DangerDialog(props: Props) {
  const { client } = useProject();
  const [reason, setReason] = useState("");
  const [typed, setTyped] = useState("");
  const preview = useQuery({
    queryKey: ["preview", props.title, ...(props.previewKey ?? [])],
    enabled: Boolean(props.preview),
    staleTime: 0,
    gcTime: 0,
    // A failed preview must not become a pending preview without a click, because that would refuse a confirmation that was possible.
    retry: false,
    refetchInterval: false,
    queryFn: async ({ signal }) => (await inTime(signal, (either) => props.preview?.(client, either)))?.data as Effect,
  });
  const change = useChange<void, unknown>({
    run: (client, _, key) =>
      props.run(client, reason.trim(), key).catch(async (error: unknown) => {
        if (asProblem(error).status === 412) await props.refetch?.();
        throw error;
      }),
    subject: props.title,
    done: props.done,
    onDone: (output) => {
      props.onDone?.(output);
      props.onClose();
    },
  });
  const isOvertaken = change.error?.status === 412 && props.overtaken !== undefined;
  const problem = isOvertaken ? null : change.error;
  const held = change.isPending ? strings.dialog.busy : null;
  // While the effect loads, confirming would be blind. After a failure the dialog says so, and lets the person decide.
  const isPreviewing = Boolean(props.preview) && preview.data === undefined && !preview.error;
  const unready =
    props.refusal ??
    (isPreviewing ? strings.dialog.previewing : null) ??
    (isRefused(preview.error) ? strings.dialog.refused : null) ??
    (props.reason === "needed" && reason.trim() === ""
      ? strings.dialog.reasonNeeded
      : props.typeName !== undefined && typed !== props.typeName
        ? strings.dialog.typeName(props.typeName)
        : null);
  return (
    <Dialog open held={held} onClose={props.onClose} title={props.title} text={props.text}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!unready && !change.isPending) change.mutate();
        }}
      >
        {props.preview && (
          <section aria-label={strings.dialog.effect} className="rounded-lg border p-3">
            {preview.data ? (
              <PreviewOfEffect effect={preview.data} affected={props.affected} />
            ) : preview.error ? (
              <FailedPreview problem={asProblem(preview.error)} onRetry={() => void preview.refetch()} />
            ) : (
              <Placeholder />
            )}
          </section>
        )}
        {props.children}
        {props.reason && (
          <Field label={strings.dialog.reason} hint={strings.dialog.reasonHint}>
            <input
              className="field"
              value={reason}
              required={props.reason === "needed"}
              maxLength={500}
              autoComplete="off"
              onChange={(event) => setReason(event.target.value)}
            />
          </Field>
        )}
        {props.typeName !== undefined && (
          <Field label={strings.dialog.typeName(props.typeName)}>
            <input className="field font-mono" value={typed} autoComplete="off" spellCheck={false} onChange={(event) => setTyped(event.target.value)} />
          </Field>
        )}
        {props.overtaken}
        {problem && <NotDone problem={problem} />}
        <div className="flex flex-wrap justify-end gap-2">
          <Button refusal={held} onClick={props.onClose}>
            {strings.dialog.cancel}
          </Button>
          <Button kind={props.isSafe ? "primary" : "danger"} type="submit" busy={change.isPending} refusal={unready}>
            {change.isPending ? strings.dialog.sending : (props.confirm ?? props.title)}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Reports whether the server refused the input. A preview has the input of its action, so the server would refuse the action too. */
function isRefused(error: unknown): boolean {
  return error !== null && [400, 422].includes(asProblem(error).status);
}

/** Shows that the effect is unknown and the action is possible all the same, or why the server refuses the action. */
function FailedPreview({ problem, onRetry }: { problem: Problem; onRetry: () => void }) {
  if (isRefused(problem)) {
    const reasons = problem.fields.length > 0 ? problem.fields.map(({ message }) => message) : [problem.message];
    return (
      <div role="alert" className="flex flex-col gap-1">
        <p>{strings.dialog.refused}</p>
        {reasons.map((reason) => (
          <p key={reason} className="text-bad">
            {sentence(reason)}
          </p>
        ))}
      </div>
    );
  }
  return (
    <div role="alert" className="flex flex-col items-start gap-2">
      <p className="text-muted">{problem.status === 404 ? strings.dialog.noPreview : strings.dialog.previewFailed(problem.message)}</p>
      <p>{strings.dialog.withoutPreview}</p>
      <Button size="sm" onClick={onRetry}>
        {strings.panel.retry}
      </Button>
    </div>
  );
}

/** Sends the preview, and rejects with a Problem if it takes longer than previewTime. */
async function inTime<T>(signal: AbortSignal, send: (signal: AbortSignal) => T): Promise<Awaited<T>> {
  const timeout = AbortSignal.timeout(previewTime);
  try {
    return await send(AbortSignal.any([signal, timeout]));
  } catch (error) {
    if (!timeout.aborted || signal.aborted) throw error;
    throw new Problem({ status: 0, code: "no_answer", detail: strings.dialog.previewSlow });
  }
}
