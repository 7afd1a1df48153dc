import { lazy, Suspense, useState } from "react";
import { Button } from "@/ui/Button";
import { Check } from "@/ui/Check";
import { loadCode } from "@/ui/loadCode";
import { Panel } from "@/ui/Panel";
import { Select } from "@/ui/Select";
import type { Draft, EnvironmentDraft } from "./draft";
import { strings } from "./strings";

const text = strings.channels;

// This code is loaded when the first channel is copied.
const CopyDialog = lazy(() => loadCode(() => import("./CopyDialog")));

interface Props {
  flagId: number;
  draft: Draft;
  onChange: (change: Partial<Draft>) => void;
  disabled: boolean;
  copyRefusal: string | null;
}

/** The tab to edit the flag's state and default on each channel. */
export function Channels({ flagId, draft, onChange, disabled, copyRefusal }: Props) {
  const [from, setFrom] = useState<string | null>(null);
  const values = draft.variations.map(({ name, value }) => ({ value, label: name || value }));
  const withDefault = (value: string | null) => (value === null || values.some((each) => each.value === value) ? values : [...values, { value, label: value }]);
  const set = (channelName: string, change: Partial<EnvironmentDraft>) =>
    onChange({ environments: draft.environments.map((each) => (each.channelName === channelName ? { ...each, ...change } : each)) });
  const follow = { value: "follow", label: strings.follows };
  const alone = draft.environments.length < 2 ? text.onlyOne : null;
  return (
    <Panel title={text.title}>
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Check label={`${text.own}: ${strings.on}`} checked={draft.enabled} disabled={disabled} onChange={(event) => onChange({ enabled: event.target.checked })} />
          <span className="text-xs text-faint">{text.ownHint}</span>
        </div>
        <ul className="flex flex-col divide-y border-y">
          <li aria-hidden className="hidden gap-2 py-1 text-xs text-muted sm:grid sm:grid-cols-[1fr_12rem_14rem_4.5rem]">
            <span>{text.columns.channel}</span>
            <span>{text.columns.state}</span>
            <span>{text.columns.defaultValue}</span>
          </li>
          {draft.environments.map((environment) => (
            <li key={environment.channelName} className="grid grid-cols-[4rem_1fr] items-center gap-2 py-2 sm:grid-cols-[1fr_12rem_14rem_4.5rem]">
              <span className="col-span-2 truncate font-medium sm:col-span-1" title={environment.channelName}>
                {environment.channelName}
              </span>
              <span aria-hidden className="text-xs text-muted sm:hidden">
                {text.columns.state}
              </span>
              <Select
                label={text.enabled(environment.channelName)}
                className="w-full"
                disabled={disabled}
                value={environment.enabled === null ? "follow" : environment.enabled ? "on" : "off"}
                onChange={(state) => set(environment.channelName, { enabled: state === "follow" ? null : state === "on" })}
                options={[{ value: "on", label: strings.on }, { value: "off", label: strings.off }, follow]}
              />
              <span aria-hidden className="text-xs text-muted sm:hidden">
                {text.columns.defaultValue}
              </span>
              <Select
                label={text.defaultOf(environment.channelName)}
                className="w-full"
                disabled={disabled}
                value={environment.defaultValue === null ? "follow" : `=${environment.defaultValue}`}
                onChange={(value) => set(environment.channelName, { defaultValue: value === "follow" ? null : value.slice(1) })}
                options={[...withDefault(environment.defaultValue).map(({ value, label }) => ({ value: `=${value}`, label })), follow]}
              />
              <Button size="sm" className="col-span-2 justify-self-start sm:col-span-1" command refusal={copyRefusal ?? alone} aria-label={text.copyFrom(environment.channelName)} onClick={() => setFrom(environment.channelName)}>
                {text.copy}
              </Button>
            </li>
          ))}
        </ul>
      </div>
      <Suspense>{from !== null && <CopyDialog flagId={flagId} from={from} onClose={() => setFrom(null)} />}</Suspense>
    </Panel>
  );
}
