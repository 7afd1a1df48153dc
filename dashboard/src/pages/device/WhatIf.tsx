import { keepPreviousData } from "@tanstack/react-query";
import { useDeferredValue } from "react";
import type { Schemas } from "@/api/client";
import { useApi } from "@/api/project";
import { useReleasesFor, type Release } from "@/api/releases";
import { percent } from "@/format/format";
import { releaseName, releaseNumber } from "@/format/releaseName";
import { Failure } from "@/ui/Failure";
import { Field } from "@/ui/Field";
import { Panel } from "@/ui/Panel";
import { Select } from "@/ui/Select";
import { TypedInput } from "@/ui/TypedInput";
import { usePageSearch } from "@/ui/usePageSearch";
import { shareOf } from "./share";
import { strings } from "./strings";
import { Why } from "./Why";

const text = strings.whatIf;

/** Shows the release that the device would get if a release had another rollout percentage. */
export function WhatIf({ device }: { device: Schemas["DeviceDetail"] }) {
  const [view, setView] = usePageSearch("/$project/devices/$deviceId");
  const releases = useReleasesFor(device.platform as "ios" | "android", device.runtimeVersion ?? "");
  const share = shareOf(useDeferredValue(view.at));
  const updateId = Number(view.release) || undefined;
  const query = useApi().useQuery(
    "get",
    "/v1/ota/resolve",
    {
      params: {
        query: {
          channel: device.channel ?? "",
          platform: device.platform as "ios" | "android",
          runtimeVersion: device.runtimeVersion ?? "",
          deviceId: device.deviceId,
          currentUpdateUuid: device.updateUuid ?? undefined,
          updateId,
          atPercentage: share ?? 0,
        },
      },
    },
    { enabled: updateId !== undefined && share !== null, placeholderData: keepPreviousData },
  );
  return (
    <Panel title={text.title} query={releases} placeholder="h-22">
      {(candidates) => (
        <div className="flex flex-col gap-3">
          <p className="text-muted">{text.text}</p>
          {candidates.length === 0 ? (
            <p>{text.none}</p>
          ) : (
            <div className="grid gap-3 sm:grid-cols-[1fr_8rem]">
              <Field label={text.release}>
                <Select
                  className="w-full"
                  value={view.release}
                  onChange={(release) => setView({ release })}
                  options={[
                    { value: "", label: text.choose },
                    ...candidates.map((release) => ({ value: String(release.id), label: [releaseName(release), releaseNumber(release.id)].join(" · ") })),
                  ]}
                />
              </Field>
              <Field label={text.share}>
                <TypedInput className="field" type="number" min={0} max={100} step="any" inputMode="decimal" value={view.at} onText={(at) => setView({ at })} />
              </Field>
            </div>
          )}
          {updateId !== undefined && query.isError && <Failure error={query.error} onRetry={() => void query.refetch()} />}
          {updateId !== undefined && query.data && <Why resolution={query.data} intro={`${text.at(nameOf(candidates, updateId), percent(share))}:`} />}
        </div>
      )}
    </Panel>
  );
}

/** Returns the name of the chosen release. */
function nameOf(candidates: Release[], id: number): string {
  const release = candidates.find((each) => each.id === id);
  return release ? releaseName(release) : releaseNumber(id);
}
