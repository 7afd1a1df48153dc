import { useState } from "react";
import type { Schemas } from "@/api/client";
import { useApi } from "@/api/project";
import { percent } from "@/format/format";
import { releaseName, releaseNumber } from "@/format/releaseName";
import { strings as frame } from "@/strings";
import { Combobox } from "@/ui/Combobox";
import { DangerDialog } from "@/ui/DangerDialog";
import { Failure } from "@/ui/Failure";
import { Field } from "@/ui/Field";
import { Placeholder } from "@/ui/Panel";
import { Select } from "@/ui/Select";
import { candidatesOf, chosenOf, firstTarget } from "./promotion";
import { strings } from "./strings";

const { actions: text } = strings;

interface Props {
  channel: Schemas["Channel"];
  onClose: () => void;
}

/** With more channels than this, the target is found by typing. */
const maxListed = 50;
const newestReleases = 200;
/** The number of branches that a search for a name returns. The branch with exactly this name is the first. */
const foundBranches = 5;

/** Gives another channel the releases of this channel: by republishing them, or by pointing the other channel to the same branch. */
export function PromoteDialog({ channel, onClose }: Props) {
  const [chosen, setTo] = useState<string | null>(null);
  const [how, setHow] = useState<"point" | "republish">("republish");
  const [which, setWhich] = useState<"proven" | "newest">("proven");
  const [picked, setPicked] = useState<Record<string, string>>({});
  const [policy, setPolicy] = useState("");
  const api = useApi();
  // The page may show only the channels of a search.
  const channels = api.useQuery("get", "/v1/ota/channels", { params: { query: { sort: "name", limit: maxListed + 1 } } });
  const areMany = (channels.data?.length ?? 0) > maxListed;
  const to = chosen ?? firstTarget(channel.name, channels.data ?? [], areMany);
  const targets = api.useQuery("get", "/v1/ota/overview", { params: { query: { channel: channel.name } } });
  const releases = api.useQuery("get", "/v1/ota/updates", { params: { query: { branch: channel.branchName, limit: newestReleases } } });
  // The newest release of a platform and runtime version may be older than many releases of the others.
  const branches = api.useQuery("get", "/v1/ota/branches", { params: { query: { search: channel.branchName, limit: foundBranches } } });
  const loaded = targets.data && releases.data && branches.data;
  const latest = branches.data?.find(({ name }) => name === channel.branchName)?.latestUpdates ?? [];
  const candidates = candidatesOf(targets.data ?? [], [...(releases.data ?? []), ...latest]);
  const ids = candidates.map((each) => chosenOf(each, which, picked)).filter(Boolean).map(Number);
  const point = { branchName: channel.branchName };
  const body = { channels: [to], updateIds: ids, ...(policy && { rolloutPolicyId: Number(policy) }) };
  const first = ids[0] ?? 0;
  const isReady = Boolean(to) && (how === "point" || (Boolean(loaded) && ids.length > 0));
  return (
    <DangerDialog
      onClose={onClose}
      title={`${text.promote}: ${channel.name}`}
      text={text.promoteText(channel.name)}
      confirm={text.promote}
      typeName={to || undefined}
      done={text.done.promote}
      refusal={isReady ? null : !channels.data ? frame.panel.loading : !to ? text.promoteNowhere : loaded ? text.promoteNothing : frame.panel.loading}
      previewKey={[to, how, how === "point" ? point : body]}
      preview={
        !isReady
          ? null
          : (client, signal) =>
              how === "point"
                ? client.POST("/v1/ota/channels/{name}/preview", { params: { path: { name: to } }, body: point, signal })
                : client.POST("/v1/ota/updates/{id}/republish/preview", { params: { path: { id: first } }, body, signal })
      }
      run={(client, _reason, key) =>
        how === "point"
          ? client.PATCH("/v1/ota/channels/{name}", { params: { path: { name: to } }, body: point })
          : client.POST("/v1/ota/updates/{id}/republish", { params: { path: { id: first }, header: { "Idempotency-Key": key } }, body })
      }
    >
      {channels.isError ? (
        <Failure error={channels.error} onRetry={() => void channels.refetch()} />
      ) : (
        <Field label={text.promoteTo}>
          {areMany ? (
            <Combobox of="channel" value={to} onChange={setTo} except={[channel.name]} className="w-full" />
          ) : (
            <Select
              value={to}
              onChange={setTo}
              options={(channels.data ?? []).filter(({ name }) => name !== channel.name).map(({ name }) => ({ value: name, label: name }))}
              className="w-full"
            />
          )}
        </Field>
      )}
      <Field label={text.promoteHow}>
        <Select
          value={how}
          onChange={(value) => setHow(value as "point" | "republish")}
          options={(["republish", "point"] as const).map((each) => ({ value: each, label: text.promoteBy[each] }))}
          className="w-full"
        />
      </Field>
      {how === "republish" && (
        <>
          <Field label={text.promoteWhich}>
            <Select
              value={which}
              onChange={(value) => {
                setWhich(value as "proven" | "newest");
                setPicked({});
              }}
              options={(["proven", "newest"] as const).map((each) => ({ value: each, label: text.promoteOf[each] }))}
              className="w-full"
            />
          </Field>
          {loaded ? (
            candidates.map((each) => (
              <Field key={each.key} label={text.promoteOn(frame.platforms[each.platform], each.runtimeVersion)} hint={unproven(each)}>
                <Combobox
                  of="release"
                  value={chosenOf(each, which, picked)}
                  valueLabel={labelOf(each, chosenOf(each, which, picked))}
                  none={text.promoteNone}
                  filter={{ branch: channel.branchName, platform: each.platform, runtimeVersion: each.runtimeVersion }}
                  onChange={(id) => setPicked({ ...picked, [each.key]: id })}
                  className="w-full"
                />
              </Field>
            ))
          ) : targets.error || releases.error || branches.error ? (
            <Failure
              error={targets.error ?? releases.error ?? branches.error}
              onRetry={() => void Promise.all([targets.refetch(), releases.refetch(), branches.refetch()])}
            />
          ) : (
            <Placeholder />
          )}
          <Field label={text.promotePolicy}>
            <Combobox of="policy" value={policy} onChange={setPolicy} none={text.promoteAll} className="w-full" />
          </Field>
        </>
      )}
    </DangerDialog>
  );
}

const named = (release: Schemas["Update"]) => [releaseName(release), releaseNumber(release.id)].join(" · ");

/** Returns the label of the chosen release if it is one of the candidates. */
function labelOf({ proven, newest }: ReturnType<typeof candidatesOf>[number], id: string): string | undefined {
  const release = [proven, newest].find((each) => String(each?.id) === id);
  return release && named(release);
}

/** Returns a sentence about a newest release that not every device has. */
function unproven({ proven, newest }: ReturnType<typeof candidatesOf>[number]): string | undefined {
  return newest && newest.id !== proven?.id && newest.rolloutPercentage < 100 ? text.promoteUnproven(named(newest), percent(newest.rolloutPercentage)) : undefined;
}
