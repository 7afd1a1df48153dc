import { useWatch } from "react-hook-form";
import type { Schemas } from "@/api/client";
import { Choice } from "@/form/Choice";
import { FormDialog } from "@/form/FormDialog";
import { RecordChoice } from "@/form/RecordChoice";
import { useFields } from "@/form/useFields";
import { ConditionRows } from "@/targeting/ConditionRows";
import { Estimate } from "@/targeting/Estimate";
import { Field } from "@/ui/Field";
import { Select } from "@/ui/Select";
import { isCompleteRule, isSplitRule, ruleBody, type Draft, type RuleDraft } from "./draft";
import { ruleSentence } from "./sentence";
import { ShareRows } from "./ShareRows";
import { strings } from "./strings";
import { UpdateFields } from "./UpdateFields";

const text = strings.builder;
const types = Object.entries(text.types).map(([value, label]) => ({ value, label }));

interface Props {
  rule: RuleDraft;
  draft: Draft;
  segments: Schemas["Segment"][];
  onTake: (rule: RuleDraft) => void;
  onClose: () => void;
}

/** The dialog to edit a rule. It changes the draft, not the stored flag. */
export default function RuleDialog({ rule: start, draft, segments, onTake, onClose }: Props) {
  const fields = useFields<RuleDraft>({ defaults: start, submit: onTake, problem: null });
  const { control, setValue } = fields.form;
  const rule = useWatch({ control }) as RuleDraft;
  const set = (change: Partial<RuleDraft>) => {
    for (const [name, value] of Object.entries(change)) setValue(name as keyof RuleDraft, value, { shouldDirty: true });
  };
  const values = draft.variations.map(({ name, value }) => ({ value, label: name || value }));
  const isComplete = isCompleteRule(rule);
  // A new rule is added at the end.
  const at = draft.rules.findIndex(({ key }) => key === start.key);
  const isLast = at === -1 || at === draft.rules.length - 1;
  return (
    <FormDialog
      fields={fields}
      wide
      onClose={onClose}
      title={start.id === null ? text.newTitle : text.title}
      text={isComplete ? ruleSentence(ruleBody(rule), draft.variations, segments, isLast) : undefined}
      submit={start.id === null ? text.ok : text.okChanged}
      refusal={isComplete ? null : text.unready}
      busy={false}
    >
      <div className="grid gap-3 sm:grid-cols-3">
        <Choice of={fields} name="ruleType" label={text.type} options={types} />
        <RecordChoice of={fields} name="channelName" record="channel" label={text.channel} none={text.anyChannel} />
        {rule.ruleType !== "percentage_rollout" && (
          <Field label={text.value}>
            <Select
              className="w-full"
              value={rule.isSplit ? "split" : `=${rule.variantValue}`}
              onChange={(chosen) => set(chosen === "split" ? { isSplit: true } : { isSplit: false, variantValue: chosen.slice(1) })}
              options={[...values.map(({ value, label }) => ({ value: `=${value}`, label })), { value: "split", label: text.split }]}
            />
          </Field>
        )}
      </div>
      {rule.ruleType === "segment" ? <RecordChoice of={fields} name="segmentKey" record="segment" label={text.segment} /> : <Fields rule={rule} set={set} />}
      {isSplitRule(rule) && <ShareRows rule={rule} set={set} values={values} isLast={isLast} />}
    </FormDialog>
  );
}

function Fields({ rule, set }: { rule: RuleDraft; set: (change: Partial<RuleDraft>) => void }) {
  switch (rule.ruleType) {
    case "user_list":
      return (
        <Field label={text.users} hint={text.usersHint}>
          <textarea className="field h-32 py-1.5 font-mono text-xs" spellCheck={false} value={rule.users} onChange={(event) => set({ users: event.target.value })} />
        </Field>
      );
    case "attribute":
      return (
        <>
          <p className="text-xs text-faint">{text.conditionsHint}</p>
          <ConditionRows conditions={rule.conditions} onChange={(conditions) => set({ conditions })} path="ruleConfig.conditions" />
          <Estimate conditions={rule.conditions} matchType="all" />
        </>
      );
    case "ota_update":
      return <UpdateFields rule={rule} set={set} />;
    default:
      return null;
  }
}
