import { useState } from "react";
import type { Schemas } from "@/api/client";
import { Check } from "@/ui/Check";
import { DangerDialog } from "@/ui/DangerDialog";
import { Field } from "@/ui/Field";
import { Select } from "@/ui/Select";
import { draftOf, patchOf, type ChannelAction, type Draft } from "./draft";
import { strings } from "./strings";

export type { ChannelAction };

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

/** Asks before the channel changes, with the number of devices that get something else. */
export function ChannelDialog({ channel, action, branches, onClose }: Props) {
  const [draft, setDraft] = useState(() => draftOf(channel, branches));
  const body = patchOf(action, draft);
  const path = { name: channel.name };
  return (
    <DangerDialog
      open
      onClose={onClose}
      title={`${text[action]}: ${channel.name}`}
      text={texts[action]}
      confirm={text[action]}
      withoutReason
      typeName={action === "point" || action === "remove" ? channel.name : undefined}
      done={action === "remove" ? text.done.remove : text.done.change}
      previewKey={[channel.name, body]}
      preview={
        action === "remove" ? null : (client, signal) => client.POST("/v1/ota/channels/{name}/preview", { params: { path }, body, signal })
      }
      run={(client): Promise<{ data?: unknown }> =>
        action === "remove"
          ? client.DELETE("/v1/ota/channels/{name}", { params: { path } })
          : client.PATCH("/v1/ota/channels/{name}", { params: { path }, body })
      }
    >
      <Fields action={action} draft={draft} branches={branches} onChange={(change) => setDraft({ ...draft, ...change })} />
    </DangerDialog>
  );
}

function Fields(props: { action: ChannelAction; draft: Draft; branches: Schemas["Branch"][]; onChange: (change: Partial<Draft>) => void }) {
  const { action, draft, branches, onChange } = props;
  const names = branches.map(({ name }) => ({ value: name, label: name }));
  switch (action) {
    case "point":
      return (
        <Field label={text.branch}>
          <Select value={draft.branchName} onChange={(branchName) => onChange({ branchName })} options={names} className="w-full" />
        </Field>
      );
    case "rollout":
      return (
        <>
          <Field label={text.rolloutBranch}>
            <Select
              value={draft.rolloutBranchName}
              onChange={(rolloutBranchName) => onChange({ rolloutBranchName })}
              options={[{ value: "", label: text.rolloutEnd }, ...names]}
              className="w-full"
            />
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
          <Field label={text.approvals}>
            <input className="field" type="number" min={0} max={5} value={draft.requiredApprovals} onChange={(event) => onChange({ requiredApprovals: event.target.value })} />
          </Field>
        </>
      );
    default:
      return null;
  }
}
