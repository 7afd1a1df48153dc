import { ArrowDown, ArrowUp, Pencil, Plus, Trash2 } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { Schemas } from "@/api/client";
import { count } from "@/format/format";
import { announce } from "@/ui/announce";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { IconButton } from "@/ui/IconButton";
import { Panel } from "@/ui/Panel";
import { isChangedRule } from "./diff";
import { moved, newRule, ruleBody, type Draft, type RuleDraft } from "./draft";
import { nameOf, ruleSentence } from "./sentence";
import { strings } from "./strings";

const text = strings.rules;

// This code is loaded when the first rule is edited.
const RuleDialog = lazy(() => import("./RuleDialog"));

interface Props {
  before: Draft;
  draft: Draft;
  onChange: (change: Partial<Draft>) => void;
  disabled: boolean;
  segments: Schemas["Segment"][];
}

/** Lists the rules as sentences, in the order of evaluation. */
export function Rules({ before, draft, onChange, disabled, segments }: Props) {
  const [edited, setEdited] = useState<RuleDraft | null>(null);
  const { rules } = draft;
  const move = (from: number, to: number) => {
    if (to < 0 || to >= rules.length) return;
    onChange({ rules: moved(rules, from, to) });
    announce(text.moved(to + 1));
  };
  const take = (rule: RuleDraft) => {
    const isKnown = rules.some(({ key }) => key === rule.key);
    onChange({ rules: isKnown ? rules.map((each) => (each.key === rule.key ? rule : each)) : [...rules, rule] });
    setEdited(null);
  };
  return (
    <Panel
      title={text.title}
      actions={
        !disabled && (
          <Button size="sm" command icon={<Plus size={14} aria-hidden />} onClick={() => setEdited(newRule("attribute", draft.variations[0]?.value ?? ""))}>
            {text.add}
          </Button>
        )
      }
    >
      <p className="mb-3 text-muted">{text.lead}</p>
      <ol className="flex flex-col gap-2">
        {rules.map((rule, index) => {
          const old = before.rules.find(({ key }) => key === rule.key);
          const devices = rule.ruleType === "segment" ? segments.find(({ key }) => key === rule.segmentKey)?.estimatedDevices : null;
          return (
            <li
              key={rule.key}
              className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-lg border px-3 py-2"
              onKeyDown={(event) => {
                if (!event.altKey || disabled || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
                event.preventDefault();
                move(index, event.key === "ArrowUp" ? index - 1 : index + 1);
              }}
            >
              <span aria-hidden className="w-4 text-right text-muted tabular-nums">
                {index + 1}
              </span>
              <div className="min-w-0 flex-1 basis-56">
                <p className="break-words">{ruleSentence(ruleBody(rule), draft.variations, segments, index === rules.length - 1)}</p>
                {devices != null && <p className="text-xs text-muted">{text.devices(count(devices))}</p>}
              </div>
              {!old && <Badge tone="info">{text.isNew}</Badge>}
              {old && isChangedRule(old, rule) && <Badge tone="info">{text.isChanged}</Badge>}
              {!disabled && (
                <div className="ml-auto flex">
                  <IconButton label={text.up(index + 1)} icon={<ArrowUp size={14} aria-hidden />} aria-disabled={index === 0 || undefined} onClick={() => move(index, index - 1)} />
                  <IconButton label={text.down(index + 1)} icon={<ArrowDown size={14} aria-hidden />} aria-disabled={index === rules.length - 1 || undefined} onClick={() => move(index, index + 1)} />
                  <IconButton label={text.edit(index + 1)} icon={<Pencil size={14} aria-hidden />} onClick={() => setEdited(rule)} />
                  <IconButton label={text.remove(index + 1)} icon={<Trash2 size={14} aria-hidden />} onClick={() => onChange({ rules: rules.filter(({ key }) => key !== rule.key) })} />
                </div>
              )}
            </li>
          );
        })}
      </ol>
      <p className="mt-3 text-muted">{(rules.length === 0 ? text.none : text.otherwise)(nameOf(draft.defaultValue, draft.variations))}</p>
      {!disabled && rules.length > 1 && <p className="mt-1 text-xs text-faint">{text.keys}</p>}
      <Suspense>{edited && <RuleDialog rule={edited} draft={draft} segments={segments} onTake={take} onClose={() => setEdited(null)} />}</Suspense>
    </Panel>
  );
}
