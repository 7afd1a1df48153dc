import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Schemas } from "@/api/client";
import { asProblem, type Problem } from "@/api/problem";
import { useApi, useProject } from "@/api/project";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { NotDone } from "@/ui/NotDone";
import { Time } from "@/ui/Time";
import { toast } from "@/ui/toast";
import type { Change } from "./diff";
import type { Draft, Flag } from "./draft";
import { save } from "./save";
import { strings } from "./strings";

const text = strings.diff;

interface Props {
  flagId: number;
  base: { flag: Flag; etag: string; draft: Draft };
  draft: Draft;
  changes: Change[];
  onClose: () => void;
  onSaved: (draft: Draft, isWhole: boolean) => Promise<void>;
  onReload: () => Promise<void>;
  onRebase: () => Promise<void>;
}

/** Shows the changes before they are saved. If someone else has changed the flag, shows who, and does not save. */
export function Review({ flagId, base, draft, changes, onClose, onSaved, onReload, onRebase }: Props) {
  const { client, slug } = useProject();
  const queries = useQueryClient();
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const isLate = problem?.status === 412;
  const store = async () => {
    setIsBusy(true);
    setProblem(null);
    const saved = await save(client, flagId, base.etag, base.draft, draft);
    const failure = saved.error ? asProblem(saved.error) : null;
    if (failure?.status !== 412) {
      await onSaved(saved.draft, failure === null);
      void queries.invalidateQueries();
    }
    setIsBusy(false);
    setProblem(failure);
    if (failure) return;
    if (saved.waiting > 0) toast({ title: strings.waits(saved.waiting), href: `/app/${slug}/approvals`, link: strings.openApprovals });
    else toast({ title: strings.saved });
    onClose();
  };
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={text.title}
      footer={
        <>
          <Button onClick={onClose}>{text.back}</Button>
          {!isLate && (
            <Button kind="primary" busy={isBusy} refusal={changes.length === 0 ? strings.unchanged : null} onClick={() => void store()}>
              {isBusy ? text.saving : text.save}
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-3">
        {isLate && <Faster flagId={flagId} onReload={() => void onReload().then(onClose)} onRebase={() => void onRebase().then(() => setProblem(null))} />}
        {problem && !isLate && (
          <NotDone problem={problem} title={strings.partly} />
        )}
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

/** Shows who changed the flag last, and offers to reapply your changes or to load the flag without them. */
export function Faster({ flagId, onReload, onRebase }: { flagId: number; onReload: () => void; onRebase: () => void }) {
  const log = useApi().useQuery("get", "/v1/ota/audit-log", { params: { query: { limit: 50 } } });
  const last = log.data?.find((entry) => isOfFlag(entry, flagId));
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3 rounded-lg bg-warn-soft px-3 py-2 text-warn">
      <span className="min-w-0 flex-1">
        {strings.faster}{" "}
        {last && (
          <>
            {strings.fasterBy(last.actorName || last.actorId, last.action)} <Time at={last.createdAt} />.
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

/** Reports whether an audit log entry is about the flag, one of its rules, or its state on a channel. */
function isOfFlag(entry: Schemas["AuditEntry"], flagId: number): boolean {
  return (entry.entityType === "flag" && entry.entityId === String(flagId)) || entry.details.flagId === flagId;
}
