import { useState } from "react";
import type { ApiClient } from "@/api/client";
import { useApi } from "@/api/project";
import { releaseName } from "@/format/releaseName";
import { strings as frame } from "@/strings";
import { DangerDialog } from "@/ui/DangerDialog";
import { Dialog } from "@/ui/Dialog";
import { Failure } from "@/ui/Failure";
import { Placeholder } from "@/ui/Panel";
import { Option } from "./Option";
import { strings } from "./strings";
import { callOf, disabledGoals, firstOf, isBothByDefault, mayBeBoth, type Call, type Release, type Target } from "./target";
import { Targets } from "./Targets";
import { useEarlier, useOther, useOtherFiles } from "./useTargets";

interface Props {
  /** The release to roll back: the newest release, or the release that rolls out. */
  updateId: number;
  /** The channel whose devices go back. null if the release was published to a branch. */
  channel: string | null;
  platform: string;
  onClose: () => void;
}

/**
 * Rolls back a release: to what devices had before its rollout, to an earlier release, or to the embedded update. Includes the other
 * platform of the same publish by default. Only an action on the whole channel needs its name typed.
 */
export function RollbackDialog({ updateId, channel, platform, onClose }: Props) {
  const query = useApi().useQuery("get", "/v1/ota/updates/{id}", { params: { path: { id: updateId } } });
  // The dialog keeps asking the same question, even if the rollout ends or a release is published while it is open.
  const [release, setRelease] = useState<Release | null>(null);
  if (release === null && query.data) setRelease(query.data);
  if (release) return <Form release={release} channel={channel} onClose={onClose} />;
  return (
    <Dialog open onClose={onClose} title={strings.title(channel, platform)}>
      {query.isError ? <Failure error={query.error} onRetry={() => void query.refetch()} /> : <Placeholder />}
    </Dialog>
  );
}

function Form({ release, channel, onClose }: { release: Release; channel: string | null; onClose: () => void }) {
  const enabled = useEarlier(release, "", true);
  const isRollingOut = release.rolloutExecutionId !== null;
  const otherFiles = useOtherFiles(release, !isRollingOut);
  const [chosen, setChosen] = useState<Target | null>(null);
  const [choseBoth, setBoth] = useState<boolean | null>(null);
  const first = firstOf(otherFiles.data ?? [], enabled.data ?? []);
  const target: Target = chosen ?? (isRollingOut ? { kind: "undo" } : first ? { kind: "release", release: first } : { kind: "embedded" });
  const partner = usePartner(release);
  const counterpart = useOther(target.kind === "release" ? target.release : null);
  const isReady = enabled.data !== undefined && (isRollingOut || otherFiles.data !== undefined) && partner.other !== undefined && counterpart.other !== undefined;
  const others = { partner: partner.other ?? null, counterpart: counterpart.other ?? null };
  const isBoth = mayBeBoth(target, others) && (choseBoth ?? isBothByDefault(target, others));
  const call = callOf(release, channel, target, others, isBoth);
  const failed = otherFiles.error ?? partner.error ?? counterpart.error;
  const other = target.kind === "release" ? others.counterpart : others.partner;
  return (
    <DangerDialog
      onClose={onClose}
      title={strings.title(channel, release.platform)}
      text={strings.text(release.runtimeVersion)}
      confirm={strings.action}
      reason="optional"
      typeName={target.kind === "channel" ? (channel ?? release.branchName) : undefined}
      previewKey={[call]}
      preview={isReady ? (client, signal) => preview(client, call, signal) : null}
      refusal={isReady ? null : frame.panel.loading}
      run={(client, reason, key) => send(client, call, reason, key)}
      done={strings.done}
    >
      <Targets release={release} channel={channel} target={target} first={first} onChoose={setChosen} />
      {failed && <Failure error={failed} onRetry={() => void Promise.all([isRollingOut || otherFiles.refetch(), partner.refetch(), counterpart.refetch()])} />}
      {mayBeBoth(target, others) && other && (
        <fieldset className="flex flex-col gap-1">
          <legend className="mb-1 text-xs font-medium">{strings.platforms}</legend>
          <Option name="platforms" checked={isBoth} onChoose={() => setBoth(true)} label={strings.both([release.platform, other.platform])} />
          <Option name="platforms" checked={!isBoth} onChoose={() => setBoth(false)} label={strings.only(release.platform)} />
        </fieldset>
      )}
      {target.kind === "release" && isReady && others.partner && !others.counterpart && (
        <p className="text-xs text-muted">{strings.noCounterpart(others.partner.platform)}</p>
      )}
      {disabledGoals(target, others, isBoth).map((goal) => (
        <p key={goal.id} role="alert" className="rounded-md bg-warn-soft px-2 py-1.5 text-warn">
          {goal.platform === release.platform ? strings.disabledWarning : strings.disabledOther(releaseName(goal), goal.platform)}
        </p>
      ))}
    </DangerDialog>
  );
}

/**
 * Queries the release of the same publish on the other platform. It stays as it was when the dialog opened: after a lost response, the
 * dialog keeps asking for both platforms, even if the call has rolled them back.
 */
function usePartner(release: Release) {
  const query = useOther(release);
  const [kept, setKept] = useState<Release | null | undefined>(undefined);
  if (kept === undefined && query.other !== undefined) setKept(query.other);
  return { ...query, other: kept };
}

function preview(client: ApiClient, call: Call, signal: AbortSignal) {
  if (call.of === "channel") return client.POST("/v1/ota/rollback/preview", { body: call.body, signal });
  return client.POST("/v1/ota/rollout-executions/{id}/rollback/preview", { params: { path: { id: call.id } }, body: call.body, signal });
}

function send(client: ApiClient, call: Call, reason: string, key: string): Promise<{ data?: unknown }> {
  const header = { "Idempotency-Key": key };
  const why = reason ? { reason } : {};
  if (call.of === "channel") return client.POST("/v1/ota/rollback", { params: { header }, body: { ...call.body, ...why } });
  return client.POST("/v1/ota/rollout-executions/{id}/rollback", { params: { path: { id: call.id }, header }, body: { ...call.body, ...why } });
}
