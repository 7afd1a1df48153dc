import { useState } from "react";
import type { Schemas } from "@/api/client";
import type { Tagged } from "@/api/tagged";
import { Opened } from "@/form/Opened";
import { Overtaken } from "@/form/Overtaken";
import { Combobox } from "@/ui/Combobox";
import { Check } from "@/ui/Check";
import { DangerDialog } from "@/ui/DangerDialog";
import { Field } from "@/ui/Field";
import { draftOf, patchOf, protectionOf, type ChannelAction, type Draft } from "./draft";
import { strings } from "./strings";

export type { ChannelAction };

type Channel = Schemas["Channel"];

const { actions: text } = strings;

const texts: Record<ChannelAction, string> = {
  pause: text.pauseText,
  resume: text.resumeText,
  point: text.pointText,
  rollout: text.rolloutText,
  runtime: text.runtimeText,
  protect: text.protectText,
  remove: text.removeText,
};

interface Props {
  channel: Schemas["Channel"];
  action: ChannelAction;
  branches: Schemas["Branch"][];
  onClose: () => void;
}

const path = "/v1/ota/channels/{name}";

/** Asks before the channel changes, and shows how many devices get something else. */
export function ChannelDialog({ channel, action, branches, onClose }: Props) {
  const { name } = channel;
  return (
    <Opened<Channel> path={path} params={{ name }} title={`${text[action]}: ${name}`} onClose={onClose}>
      {(stored, refetch) => <Form stored={stored} refetch={refetch} action={action} branches={branches} onClose={onClose} />}
    </Opened>
  );
}

interface FormProps extends Omit<Props, "channel"> {
  stored: Tagged<Channel>;
  refetch: () => Promise<unknown>;
}

function Form({ stored, refetch, action, branches, onClose }: FormProps) {
  // Pausing and resuming do not depend on the channel's other fields, so a concurrent change of those does not stop them.
  const isSwitch = action === "pause" || action === "resume";
  const [base, setBase] = useState(stored);
  const [draft, setDraft] = useState(() => draftOf(base.record, branches, action));
  const channel = base.record;
  const body = patchOf(action, draft);
  const params = { path: { name: channel.name }, header: isSwitch ? {} : { "If-Match": base.etag } };
  const load = () => {
    setBase(stored);
    setDraft(draftOf(stored.record, branches, action));
  };
  const isBehind = !isSwitch && base.etag !== stored.etag;
  return (
    <DangerDialog
      onClose={onClose}
      title={`${text[action]}: ${channel.name}`}
      text={texts[action]}
      confirm={action === "protect" ? text.protection[protectionOf(channel, draft)] : text[action]}
      isSafe={action === "protect" && draft.isProtected}
      typeName={action === "point" || action === "remove" ? channel.name : undefined}
      done={action === "remove" ? text.done.remove.channel : text.done.change}
      previewKey={[channel.name, body, stored.etag]}
      overtaken={isBehind ? <Overtaken entityType="channel" entityId={channel.id} onLoad={load} onKeep={() => setBase(stored)} /> : null}
      preview={(client, signal) =>
        action === "remove"
          ? client.POST("/v1/ota/channels/{name}/delete/preview", { params: { path: params.path }, signal })
          : client.POST("/v1/ota/channels/{name}/preview", { params: { path: params.path }, body, signal })
      }
      refetch={refetch}
      run={(client) => (action === "remove" ? client.DELETE(path, { params }) : client.PATCH(path, { params, body }))}
    >
      <Fields action={action} draft={draft} onChange={(change) => setDraft({ ...draft, ...change })} />
    </DangerDialog>
  );
}

function Fields(props: { action: ChannelAction; draft: Draft; onChange: (change: Partial<Draft>) => void }) {
  const { action, draft, onChange } = props;
  switch (action) {
    case "point":
      return (
        <Field label={text.branch}>
          <Combobox className="w-full" of="branch" value={draft.branchName} onChange={(branchName) => onChange({ branchName })} />
        </Field>
      );
    case "rollout":
      return (
        <>
          <Field label={text.rolloutBranch}>
            <Combobox className="w-full" of="branch" none={text.rolloutEnd} value={draft.rolloutBranchName} onChange={(rolloutBranchName) => onChange({ rolloutBranchName })} />
          </Field>
          {draft.rolloutBranchName && (
            <Field label={text.rolloutShare}>
              <input className="field" type="number" min={0} max={100} step="any" value={draft.rolloutPercentage} onChange={(event) => onChange({ rolloutPercentage: event.target.value })} />
            </Field>
          )}
        </>
      );
    case "runtime":
      return (
        <Field label={text.runtimeLabel} hint={text.runtimeHint}>
          <input className="field" value={draft.minRuntimeVersion} onChange={(event) => onChange({ minRuntimeVersion: event.target.value })} />
        </Field>
      );
    case "protect":
      return (
        <>
          <Check label={text.protected} checked={draft.isProtected} onChange={(event) => onChange({ isProtected: event.target.checked })} />
          <Field label={text.approvals} hint={text.approvalsHint}>
            <input className="field" type="number" min={0} max={5} value={draft.requiredApprovals} onChange={(event) => onChange({ requiredApprovals: event.target.value })} />
          </Field>
        </>
      );
    default:
      return null;
  }
}
