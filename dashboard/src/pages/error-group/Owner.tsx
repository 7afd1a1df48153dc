import { useState } from "react";
import { useRefusal } from "@/api/access";
import { useChange } from "@/api/change";
import type { Schemas } from "@/api/client";
import { actorTitle } from "@/format/actions";
import { StatusBadge } from "@/pages/observe/StateBadge";
import { strings as observe } from "@/pages/observe/strings";
import { Button } from "@/ui/Button";
import { Combobox } from "@/ui/Combobox";
import { Facts } from "@/ui/Facts";
import { Panel, type PanelQuery } from "@/ui/Panel";
import { ReleaseLink } from "@/ui/ReleaseLink";
import { Time } from "@/ui/Time";
import { NoteDialog } from "./NoteDialog";
import { strings } from "./strings";

type Group = Schemas["ErrorGroupDetail"];
const text = strings.owner;

interface Props {
  query: PanelQuery<Group>;
}

/** Shows who works on the error group and whether it is resolved. Editors can change both. */
export function Owner({ query }: Props) {
  const [isEditing, setEditing] = useState(false);
  return (
    <Panel title={text.title} query={query} placeholder="h-24">
      {(group) => (
        <>
          <State group={group} onEdit={() => setEditing(true)} />
          {isEditing && <NoteDialog group={group} onClose={() => setEditing(false)} />}
        </>
      )}
    </Panel>
  );
}

function State({ group, onEdit }: { group: Group; onEdit: () => void }) {
  const refusal = useRefusal("editor");
  const change = useChange<Schemas["PatchGroupBody"]>({
    run: (client, body) => client.PATCH("/v1/ota/observe/groups/{fingerprint}", { params: { path: { fingerprint: group.fingerprint } }, body }),
    done: text.saved,
    toastErrors: true,
  });
  const { assigneeId, regressedUpdateUuid: update } = group;
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-end gap-2">
        <div className="flex min-w-0 flex-col gap-1">
          <span className="text-xs text-muted">{observe.assignee}</span>
          {refusal === null ? (
            <Combobox
              of="member"
              label={observe.assignee}
              none={observe.nobody}
              value={assigneeId === null ? "" : String(assigneeId)}
              valueLabel={group.assigneeName ?? undefined}
              disabled={change.isPending}
              onChange={(value) => change.mutate({ assigneeId: value === "" ? null : Number(value) })}
            />
          ) : (
            <span>{group.assigneeName ?? observe.nobody}</span>
          )}
        </div>
        {group.status !== "resolved" && (
          <Button refusal={refusal} busy={change.isPending} command={text.resolveCommand} onClick={() => change.mutate({ resolved: true })}>
            {group.status === "regressed" ? text.resolveAgain : text.resolve}
          </Button>
        )}
        {group.status !== "open" && (
          <Button refusal={refusal} busy={change.isPending} command={text.reopenCommand} onClick={() => change.mutate({ resolved: false })}>
            {text.reopen}
          </Button>
        )}
        <Button refusal={refusal} kind="quiet" command onClick={onEdit}>
          {group.note ? text.editNote : text.addNote}
        </Button>
      </div>
      <Facts
        facts={[
          [observe.status, <StatusBadge key="status" status={group.status} />],
          ...(group.resolvedAt ? [[text.resolved, <span key="resolved">{actorTitle(group.resolvedBy ?? "")} · <Time at={group.resolvedAt} /></span>] as [string, React.ReactNode]] : []),
          ...(group.regressedAt && update
            ? [[text.back, <span key="back"><ReleaseLink release={group.byUpdate.find((each) => each.updateUuid === update)?.release ?? null} uuid={update} /> · <Time at={group.regressedAt} /></span>] as [string, React.ReactNode]]
            : []),
          ...(group.note ? [[text.note, <span key="note" className="break-words whitespace-pre-wrap">{group.note}</span>] as [string, React.ReactNode]] : []),
        ]}
      />
    </div>
  );
}
