import { useState } from "react";
import type { Schemas } from "@/api/client";
import { ConditionRows } from "@/targeting/ConditionRows";
import { Estimate } from "@/targeting/Estimate";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Field } from "@/ui/Field";
import { Select } from "@/ui/Select";
import { isCompleteRule, ruleBody, type Draft, type RuleDraft, type RuleType } from "./draft";
import { ruleSentence } from "./sentence";
import { ShareRows } from "./ShareRows";
import { strings } from "./strings";
import { UpdateFields } from "./UpdateFields";

const text = strings.builder;

interface Props {
  rule: RuleDraft;
  draft: Draft;
  segments: Schemas["Segment"][];
  onTake: (rule: RuleDraft) => void;
  onClose: () => void;
}

/** The builder of a rule; it changes the draft, not the flag. */
export function RuleDialog({ rule: start, draft, segments, onTake, onClose }: Props) {
  const [rule, setRule] = useState(start);
  const set = (change: Partial<RuleDraft>) => setRule({ ...rule, ...change });
  const values = draft.variations.map(({ name, value }) => ({ value, label: name || value }));
  const isComplete = isCompleteRule(rule);
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={start.id === null ? text.newTitle : text.title}
      text={isComplete ? ruleSentence(ruleBody(rule), draft.variations, segments) : undefined}
      footer={
        <>
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button kind="primary" refusal={isComplete ? null : text.unready} onClick={() => onTake(rule)}>
            {text.ok}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <div className="grid gap-3 sm:grid-cols-3">
          <Field label={text.type}>
            <Select
              className="w-full"
              value={rule.ruleType}
              onChange={(ruleType) => set({ ruleType: ruleType as RuleType })}
              options={Object.entries(text.types).map(([value, label]) => ({ value, label }))}
            />
          </Field>
          <Field label={text.channel}>
            <Select
              className="w-full"
              value={rule.channelName}
              onChange={(channelName) => set({ channelName })}
              options={[{ value: "", label: text.anyChannel }, ...draft.environments.map(({ channelName }) => ({ value: channelName, label: channelName }))]}
            />
          </Field>
          {rule.ruleType !== "percentage_rollout" && (
            <Field label={text.value}>
              <Select className="w-full" value={rule.variantValue} onChange={(variantValue) => set({ variantValue })} options={values} />
            </Field>
          )}
        </div>
        <Fields rule={rule} set={set} segments={segments} values={values} />
      </div>
    </Dialog>
  );
}

interface FieldsProps {
  rule: RuleDraft;
  set: (change: Partial<RuleDraft>) => void;
  segments: Schemas["Segment"][];
  values: { value: string; label: string }[];
}

function Fields({ rule, set, segments, values }: FieldsProps) {
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
    case "segment":
      return segments.length === 0 ? (
        <p className="text-muted">{text.noSegment}</p>
      ) : (
        <Field label={text.segment}>
          <Select
            className="w-full"
            value={rule.segmentKey}
            onChange={(segmentKey) => set({ segmentKey })}
            options={[{ value: "", label: text.choose }, ...segments.map(({ key, name }) => ({ value: key, label: `${name} (${key})` }))]}
          />
        </Field>
      );
    case "percentage_rollout":
      return <ShareRows rule={rule} set={set} values={values} />;
    case "ota_update":
      return <UpdateFields rule={rule} set={set} />;
  }
}
