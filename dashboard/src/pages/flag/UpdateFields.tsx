import { Combobox } from "@/ui/Combobox";
import { Field } from "@/ui/Field";
import { Select } from "@/ui/Select";
import type { RuleDraft } from "./draft";
import { strings } from "./strings";

const text = strings.builder;

/** Fields for a rule's conditions on the running release. */
export function UpdateFields({ rule, set }: { rule: RuleDraft; set: (change: Partial<RuleDraft>) => void }) {
  return (
    <div className="flex flex-col gap-3">
      <p className="text-xs text-faint">{text.updateHint}</p>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label={text.branch}>
          <Combobox className="w-full" of="branch" none={text.anyBranch} value={rule.branch} onChange={(branch) => set({ branch })} />
        </Field>
        <Field label={text.withinDays}>
          <input className="field" type="number" min={0} step="any" value={rule.withinDays} onChange={(event) => set({ withinDays: event.target.value })} />
        </Field>
        <div className="flex items-end gap-2">
          <Select
            label={strings.builder.version}
            value={rule.versionOperator}
            onChange={(operator) => set({ versionOperator: operator as RuleDraft["versionOperator"] })}
            options={Object.entries(text.versionOperators).map(([value, label]) => ({ value, label }))}
          />
          <div className="min-w-0 flex-1">
            <Field label={text.version}>
              <input className="field" spellCheck={false} value={rule.version} onChange={(event) => set({ version: event.target.value })} />
            </Field>
          </div>
        </div>
        <Field label={text.updateUuid}>
          <input className="field font-mono text-xs" spellCheck={false} value={rule.updateUuid} onChange={(event) => set({ updateUuid: event.target.value })} />
        </Field>
      </div>
    </div>
  );
}
