import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { isPending } from "@/api/change";
import type { Schemas } from "@/api/client";
import { useProject } from "@/api/project";
import { bodyOf, type Link } from "@/linked-flags/links";
import { LinkedFlagsField } from "@/linked-flags/LinkedFlagsField";
import { strings as frame } from "@/strings";
import { Combobox } from "@/ui/Combobox";
import { DangerDialog } from "@/ui/DangerDialog";
import { Field } from "@/ui/Field";
import { strings } from "./strings";

const { publish: text } = strings;

/** The dialog that publishes a build to a channel, for every device or by a policy. */
export function PublishDialog({ build, onClose }: { build: Schemas["Build"]; onClose: () => void }) {
  const { slug: project } = useProject();
  const navigate = useNavigate();
  const [channel, setChannel] = useState("");
  const [policy, setPolicy] = useState("");
  const [links, setLinks] = useState<Link[]>([]);
  const [notes, setNotes] = useState(build.message);
  // The notes do not change the effect, so they are not previewed while they are typed.
  const body = { channel, ...(policy && { rolloutPolicyId: Number(policy) }), ...(links.length > 0 && { linkedFlags: bodyOf(links) }) };
  const path = { id: build.id };
  return (
    <DangerDialog
      onClose={onClose}
      title={`${text.confirm}: ${strings.name(build.id, build.message)}`}
      text={text.text(strings.name(build.id, build.message), frame.platforms[build.platform], build.runtimeVersion)}
      confirm={text.confirm}
      typeName={policy || !channel ? undefined : channel}
      refusal={channel ? null : text.noChannel}
      done={text.done}
      previewKey={[build.id, body]}
      preview={channel ? (client, signal) => client.POST("/v1/ota/builds/{id}/publish/preview", { params: { path }, body, signal }) : null}
      run={(client, _reason, key) =>
        client.POST("/v1/ota/builds/{id}/publish", { params: { path, header: { "Idempotency-Key": key } }, body: { ...body, releaseMessage: notes } })
      }
      onDone={(output) => {
        if (isPending(output)) return;
        const release = output as Schemas["Update"];
        if (release.rolloutExecutionId === null) void navigate({ to: "/$project/releases/$id", params: { project, id: String(release.id) } });
        else void navigate({ to: "/$project/rollouts/$id", params: { project, id: String(release.rolloutExecutionId) } });
      }}
    >
      <Field label={text.channel}>
        <Combobox of="channel" value={channel} onChange={setChannel} className="w-full" />
      </Field>
      <Field label={text.policy}>
        <Combobox of="policy" value={policy} onChange={setPolicy} none={text.policyNone} className="w-full" />
      </Field>
      <Field label={text.notes}>
        <input className="field" value={notes} maxLength={1000} onChange={(event) => setNotes(event.target.value)} />
      </Field>
      <LinkedFlagsField links={links} onChange={setLinks} />
    </DangerDialog>
  );
}
