import { useState } from "react";
import type { ApiClient, Schemas } from "@/api/client";
import { DangerDialog } from "@/ui/DangerDialog";
import { Field } from "@/ui/Field";
import { Select } from "@/ui/Select";
import { strings } from "./strings";

const { actions: text } = strings;

interface Props {
  channel: Schemas["Channel"];
  channels: Schemas["Channel"][];
  branches: Schemas["Branch"][];
  onClose: () => void;
}

/** Gives another channel what this channel has: by pointing it to the same branch, or by republishing the releases to it. */
export function PromoteDialog({ channel, channels, branches, onClose }: Props) {
  const others = channels.filter((each) => each.name !== channel.name);
  const [to, setTo] = useState(others[0]?.name ?? "");
  const [how, setHow] = useState<"point" | "republish">("republish");
  const releases = branches.find((each) => each.name === channel.branchName)?.latestUpdates.filter((each) => each.kind === "update") ?? [];
  const body = { branchName: channel.branchName };
  return (
    <DangerDialog
      onClose={onClose}
      title={`${text.promote}: ${channel.name}`}
      text={text.promoteText(channel.name)}
      confirm={text.promote}
      typeName={to}
      done={text.done.promote}
      refusal={how === "republish" && releases.length === 0 ? text.promoteNothing : null}
      previewKey={[to, how, body]}
      preview={
        how === "point" ? (client, signal) => client.POST("/v1/ota/channels/{name}/preview", { params: { path: { name: to } }, body, signal }) : null
      }
      run={async (client, _reason, key) => {
        if (how === "point") return client.PATCH("/v1/ota/channels/{name}", { params: { path: { name: to } }, body });
        return republish(client, releases, to, key);
      }}
    >
      <Field label={text.promoteTo}>
        <Select value={to} onChange={setTo} options={others.map(({ name }) => ({ value: name, label: name }))} className="w-full" />
      </Field>
      <Field label={text.promoteHow} hint={how === "republish" && releases.length === 0 ? text.promoteNothing : undefined}>
        <Select
          value={how}
          onChange={(value) => setHow(value as "point" | "republish")}
          options={(["republish", "point"] as const).map((each) => ({ value: each, label: text.promoteBy[each] }))}
          className="w-full"
        />
      </Field>
    </DangerDialog>
  );
}

/** Republishes each group of the releases to the channel, and returns the last response. */
async function republish(client: ApiClient, releases: Schemas["Update"][], channel: string, key: string): Promise<{ data?: unknown }> {
  let answer: { data?: unknown } = {};
  const seen = new Set<string>();
  for (const release of releases) {
    if (seen.has(release.groupId)) continue;
    seen.add(release.groupId);
    answer = await client.POST("/v1/ota/updates/{id}/republish", {
      // Each release has its own key, so that repeating the call does not republish a release twice.
      params: { path: { id: release.id }, header: { "Idempotency-Key": `${key}-${release.id}` } },
      body: { channels: [channel] },
    });
  }
  return answer;
}
