import { Undo2 } from "lucide-react";
import { useState } from "react";
import { useRefusal } from "@/api/access";
import type { Stream } from "@/api/overview";
import { useApi } from "@/api/project";
import { strings as frame } from "@/strings";
import { Button } from "@/ui/Button";
import { DangerDialog } from "@/ui/DangerDialog";
import { Failure } from "@/ui/Failure";
import { Field } from "@/ui/Field";
import { Placeholder } from "@/ui/Panel";
import { Select } from "@/ui/Select";
import { strings } from "./strings";

const embedded = "embedded";

/** Shows a button that rolls back the target's running rollout, or its newest release if no rollout runs. */
export function RollBack({ row }: { row: Stream }) {
  // The dialog keeps asking the same question, even if the rollout ends or a release is published while it is open.
  const [asked, setAsked] = useState<Stream | null>(null);
  const refusal = useRefusal("editor");
  if (row.platform === "web" || (!row.release && !row.rollout)) return null;
  const name = `${row.channel} · ${strings.platforms[row.platform] ?? row.platform}`;
  const close = () => setAsked(null);
  return (
    <>
      <Button
        size="sm"
        refusal={refusal}
        icon={<Undo2 size={12} aria-hidden />}
        aria-label={strings.rollBackTitle(name)}
        command={strings.rollBackTitle(name)}
        onClick={() => setAsked(row)}
        className="h-9 sm:h-7"
      >
        {strings.rollBack}
      </Button>
      {asked && (asked.rollout ? <OfRollout row={asked} name={name} onClose={close} /> : <OfRelease row={asked} name={name} onClose={close} />)}
    </>
  );
}

interface Props {
  row: Stream;
  name: string;
  onClose: () => void;
}

function OfRollout({ row, name, onClose }: Props) {
  const id = row.rollout?.id ?? 0;
  const params = { path: { id } };
  return (
    <DangerDialog
      onClose={onClose}
      title={strings.rollBackTitle(name)}
      text={strings.rollBackRolloutText}
      confirm={strings.rollBack}
      reason="optional"
      previewKey={["rollout", id]}
      preview={(client, signal) =>
        client.POST("/v1/ota/rollout-executions/{id}/rollback/preview", { params, body: { scope: "release" }, signal })
      }
      run={(client, reason, key) =>
        client.POST("/v1/ota/rollout-executions/{id}/rollback", {
          params: { ...params, header: { "Idempotency-Key": key } },
          body: { scope: "release", ...(reason ? { reason } : {}) },
        })
      }
      done={strings.rollBackDone}
    />
  );
}

function OfRelease({ row, name, onClose }: Props) {
  const { channel, runtimeVersion } = row;
  const platform = row.platform as "ios" | "android";
  const releases = useApi().useQuery("get", "/v1/ota/updates", {
    params: { query: { channel, platform, runtimeVersion, before: row.release?.id, limit: 10 } },
  });
  const before = (releases.data ?? []).filter((each) => each.isEnabled && each.kind === "update");
  const [chosen, setChosen] = useState<string | null>(null);
  const target = chosen ?? String(before[0]?.id ?? embedded);
  const body = { channel, platform, runtimeVersion, ...(target === embedded ? {} : { rollbackToUpdateId: Number(target) }) };
  return (
    <DangerDialog
      onClose={onClose}
      title={strings.rollBackTitle(name)}
      text={strings.rollBackText}
      confirm={strings.rollBack}
      previewKey={["release", channel, platform, runtimeVersion, target]}
      preview={releases.data ? (client, signal) => client.POST("/v1/ota/rollback/preview", { body, signal }) : null}
      run={(client, _reason, key) => client.POST("/v1/ota/rollback", { params: { header: { "Idempotency-Key": key } }, body })}
      done={strings.rollBackDone}
      refusal={releases.data ? null : frame.panel.loading}
    >
      {releases.data ? (
        <Field label={strings.rollBackTo}>
          <Select
            className="w-full"
            value={target}
            onChange={setChosen}
            options={[
              ...before.map((each) => ({ value: String(each.id), label: `#${each.id} ${each.releaseMessage}` })),
              { value: embedded, label: strings.rollBackToEmbedded },
            ]}
          />
        </Field>
      ) : releases.isError ? (
        <Failure error={releases.error} onRetry={() => void releases.refetch()} />
      ) : (
        <Placeholder />
      )}
    </DangerDialog>
  );
}
