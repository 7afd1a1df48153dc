import type { Release } from "@/api/releases";
import { releaseName } from "@/format/releaseName";
import { Button } from "@/ui/Button";
import { Combobox } from "@/ui/Combobox";
import { Filters as Collapsed } from "@/ui/Filters";
import { Select } from "@/ui/Select";
import { rangeOf } from "./ranges";
import { strings } from "./strings";

export const defaults = { range: "24h", type: "", state: "", status: "", assignee: "", channel: "", platform: "", updateUuid: "" };
export type View = typeof defaults;

interface Props {
  view: View;
  onChange: (change: Partial<View>) => void;
  releases: Map<string, Release> | undefined;
}

const optionsOf = (texts: Record<string, string>) => Object.entries(texts).map(([value, label]) => ({ value, label }));

/** Returns the number of selects that differ from their default. */
const narrowed = (view: View) => (["range", "type", "state", "status", "assignee", "channel", "platform"] as const).filter((name) => view[name] !== defaults[name]).length;

/** The filters of the groups. The server applies them. */
export function Filters({ view, onChange, releases }: Props) {
  const release = releases?.get(view.updateUuid);
  return (
    <>
      <Collapsed active={narrowed(view)}>
        <Select label={strings.range} value={rangeOf(view.range)} onChange={(range) => onChange({ range })} options={optionsOf(strings.ranges)} />
        <Select label={strings.type} value={view.type} onChange={(type) => onChange({ type })} options={optionsOf(strings.types)} />
        <Select label={strings.state} value={view.state} onChange={(state) => onChange({ state })} options={optionsOf(strings.states)} />
        <Select label={strings.status} value={view.status} onChange={(status) => onChange({ status })} options={optionsOf(strings.statuses)} />
        <Select label={strings.assignee} value={view.assignee} onChange={(assignee) => onChange({ assignee })} options={optionsOf(strings.assignees)} />
        <Combobox of="channel" label={strings.channel} none={strings.anyChannel} value={view.channel} onChange={(channel) => onChange({ channel })} />
        <Select label={strings.platform} value={view.platform} onChange={(platform) => onChange({ platform })} options={optionsOf(strings.platforms)} />
      </Collapsed>
      {view.updateUuid && (
        <span className="flex items-center gap-2 text-xs text-muted">
          {strings.onlyRelease(release ? releaseName(release) : view.updateUuid.slice(0, 8))}
          <Button size="sm" kind="quiet" onClick={() => onChange({ updateUuid: "" })}>
            {strings.clearRelease}
          </Button>
        </span>
      )}
    </>
  );
}
