import { Plus, Trash2 } from "lucide-react";
import { number } from "@/format/format";
import { Button } from "@/ui/Button";
import { Field } from "@/ui/Field";
import { IconButton } from "@/ui/IconButton";
import { Select } from "@/ui/Select";
import { sumOf, type RuleDraft } from "./draft";
import { strings } from "./strings";

const text = strings.builder;

interface Props {
  rule: RuleDraft;
  set: (change: Partial<RuleDraft>) => void;
  values: { value: string; label: string }[];
  /** Whether no rule follows, so that the rest gets the default. */
  isLast: boolean;
}

/** Fields for the shares of a percentage split, one row per share. */
export function ShareRows({ rule, set, values, isLast }: Props) {
  const { shares } = rule;
  const sum = sumOf(rule);
  const change = (index: number, next: Partial<(typeof shares)[number]>) => set({ shares: shares.map((each, at) => (at === index ? { ...each, ...next } : each)) });
  return (
    <div className="flex flex-col gap-3">
      {shares.map((share, index) => (
        <div key={index} className="flex items-center gap-2">
          <Select label={text.shareOf(index + 1)} className="min-w-0 flex-1" value={share.value} onChange={(value) => change(index, { value })} options={values} />
          <input
            aria-label={text.weightOf(index + 1)}
            className="field w-24"
            type="number"
            min={0}
            max={100}
            step="any"
            inputMode="decimal"
            value={share.weight}
            onChange={(event) => change(index, { weight: event.target.value })}
          />
          <span aria-hidden>{"%"}</span>
          <IconButton label={text.removeShare(index + 1)} icon={<Trash2 size={14} aria-hidden />} onClick={() => set({ shares: shares.filter((_, at) => at !== index) })} />
        </div>
      ))}
      <Button
        size="sm"
        className="self-start"
        icon={<Plus size={14} aria-hidden />}
        onClick={() => set({ shares: [...shares, { value: values.find(({ value }) => !shares.some((share) => share.value === value))?.value ?? values[0]?.value ?? "", weight: "" }] })}
      >
        {text.addShare}
      </Button>
      <p role="status" className={sum > 100 ? "text-xs text-bad" : "text-xs text-muted"}>
        {sum > 100 ? text.tooMuch(number(sum)) : total(sum, isLast)}
      </p>
      <Field label={text.bucketBy} hint={text.bucketByHint}>
        <input className="field" spellCheck={false} value={rule.bucketBy} onChange={(event) => set({ bucketBy: event.target.value })} />
      </Field>
    </div>
  );
}

function total(sum: number, isLast: boolean): string {
  if (sum === 100) return text.sum(number(sum));
  return (isLast ? text.sumOfLast : text.sumBefore)(number(sum), number(100 - sum));
}
