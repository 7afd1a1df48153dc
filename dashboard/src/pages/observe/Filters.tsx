import { useNameOfUpdate } from "@/api/releases";
import { Button } from "@/ui/Button";
import { Combobox } from "@/ui/Combobox";
import { Filters as Collapsed } from "@/ui/Filters";
import { optionsOf, Select } from "@/ui/Select";
import type { usePageSearch } from "@/ui/usePageSearch";
import { strings } from "./strings";

type View = ReturnType<typeof usePageSearch<"/$project/observe">>[0];

interface Props {
  view: View;
  onChange: (change: Partial<View>) => void;
}

/** Returns the number of selects that differ from their default. */
const narrowed = (view: View) =>
  [view.range === "24h" ? "" : view.range, view.type, view.state, view.status, view.assignee, view.channel, view.platform].filter(Boolean).length;

/** The filters of the groups. The server applies them. */
export function Filters({ view, onChange }: Props) {
  const release = useNameOfUpdate(view.updateUuid);
  return (
    <>
      <Collapsed active={narrowed(view)}>
        <Select label={strings.range} value={view.range} onChange={(range) => onChange({ range })} options={optionsOf(strings.ranges)} />
        <Select label={strings.type} value={view.type} onChange={(type) => onChange({ type })} options={optionsOf(strings.types)} />
        <Select label={strings.state} value={view.state} onChange={(state) => onChange({ state })} options={optionsOf(strings.states)} />
        <Select label={strings.status} value={view.status} onChange={(status) => onChange({ status })} options={optionsOf(strings.statuses)} />
        <Select label={strings.assignee} value={view.assignee} onChange={(assignee) => onChange({ assignee })} options={optionsOf(strings.assignees)} />
        <Combobox of="channel" label={strings.channel} none={strings.anyChannel} value={view.channel} onChange={(channel) => onChange({ channel })} />
        <Select label={strings.platform} value={view.platform} onChange={(platform) => onChange({ platform })} options={optionsOf(strings.platforms)} />
      </Collapsed>
      {view.updateUuid && (
        <span className="flex items-center gap-2 text-xs text-muted">
          {strings.onlyRelease(release)}
          <Button size="sm" kind="quiet" onClick={() => onChange({ updateUuid: "" })}>
            {strings.clearRelease}
          </Button>
        </span>
      )}
    </>
  );
}
