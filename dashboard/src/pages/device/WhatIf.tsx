import { keepPreviousData } from "@tanstack/react-query";
import { useDeferredValue } from "react";
import type { Schemas } from "@/api/client";
import { useApi } from "@/api/project";
import { percent } from "@/format/format";
import { releaseName, releaseNumber } from "@/format/releaseName";
import { Combobox } from "@/ui/Combobox";
import { Failure } from "@/ui/Failure";
import { Field } from "@/ui/Field";
import { Panel } from "@/ui/Panel";
import { TypedInput } from "@/ui/TypedInput";
import { usePageSearch } from "@/ui/usePageSearch";
import { shareOf } from "./share";
import { strings } from "./strings";
import { Why } from "./Why";

const text = strings.whatIf;

/** Shows the release that the device would get if a release had another rollout percentage. */
export function WhatIf({ device }: { device: Schemas["DeviceDetail"] }) {
  const [view, setView] = usePageSearch("/$project/devices/$deviceId");
  const share = shareOf(useDeferredValue(view.at));
  const updateId = Number(view.release) || undefined;
  const api = useApi();
  const release = api.useQuery("get", "/v1/ota/updates/{id}", { params: { path: { id: updateId ?? 0 } } }, { enabled: updateId !== undefined });
  const name = release.data ? releaseName(release.data) : releaseNumber(updateId ?? 0);
  const query = api.useQuery(
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
    <Panel title={text.title}>
      <div className="flex flex-col gap-3">
        <p className="text-muted">{text.text}</p>
        <div className="grid gap-3 sm:grid-cols-[1fr_8rem]">
          <Field label={text.release}>
            <Combobox
              of="release"
              className="w-full"
              filter={{ platform: device.platform ?? undefined, runtimeVersion: device.runtimeVersion ?? undefined }}
              placeholder={text.choose}
              value={view.release}
              valueLabel={name}
              onChange={(release) => setView({ release })}
            />
          </Field>
          <Field label={text.share}>
            <TypedInput className="field" type="number" min={0} max={100} step="any" inputMode="decimal" value={view.at} onText={(at) => setView({ at })} />
          </Field>
        </div>
        {updateId !== undefined && query.isError && <Failure error={query.error} onRetry={() => void query.refetch()} />}
        {updateId !== undefined && query.data && <Why resolution={query.data} intro={`${text.at(name, percent(share))}:`} />}
      </div>
    </Panel>
  );
}
