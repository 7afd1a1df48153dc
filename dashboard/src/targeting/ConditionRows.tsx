import { Plus, Trash2, X } from "lucide-react";
import type { Problem } from "@/api/problem";
import { Button } from "@/ui/Button";
import { Field, fieldError } from "@/ui/Field";
import { IconButton } from "@/ui/IconButton";
import { Select } from "@/ui/Select";
import { emptyCondition, hintOf, operators, takesValues, typesOf, withOperator, type ConditionDraft, type Operator, type ValueType } from "./conditions";
import { strings } from "./strings";
import { useSuggestions } from "./useSuggestions";

interface Props {
  conditions: ConditionDraft[];
  onChange: (conditions: ConditionDraft[]) => void;
  problem?: Problem | null;
  /** The path of the conditions in the request, to place the API's messages about fields. */
  path: string;
  disabled?: boolean;
}

/** Form fields for conditions on attributes, one block per condition. */
export function ConditionRows({ conditions, onChange, problem, path, disabled }: Props) {
  const { attributes, valuesOf } = useSuggestions();
  const set = (index: number, next: ConditionDraft) => onChange(conditions.map((each, at) => (at === index ? next : each)));
  return (
    <div className="flex flex-col gap-3">
      <datalist id="attributes-of-contexts">
        {attributes.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {conditions.map((condition, index) => (
        <fieldset key={index} className="flex min-w-0 flex-col gap-2 rounded-lg border p-3">
          <legend className="sr-only">{strings.condition(index + 1)}</legend>
          <div className="flex items-end gap-2">
            <div className="grid min-w-0 flex-1 grid-cols-2 gap-2 sm:grid-cols-3">
              <Field label={strings.attribute} error={fieldError(problem, `${path}[${index}].attribute`)}>
                <input
                  className="field"
                  list="attributes-of-contexts"
                  spellCheck={false}
                  autoCapitalize="off"
                  value={condition.attribute}
                  disabled={disabled}
                  onChange={(event) => set(index, { ...condition, attribute: event.target.value })}
                />
              </Field>
              <Field label={strings.operator} error={fieldError(problem, `${path}[${index}].operator`)}>
                <Select
                  className="w-full"
                  value={condition.operator}
                  disabled={disabled}
                  onChange={(operator) => set(index, withOperator(condition, operator as Operator))}
                  options={operators.map((operator) => ({ value: operator, label: strings.operators[operator] }))}
                />
              </Field>
              {takesValues(condition.operator) && typesOf(condition.operator).length > 1 && (
                <Field label={strings.type}>
                  <Select
                    className="w-full"
                    value={condition.type}
                    disabled={disabled}
                    onChange={(type) => set(index, { ...condition, type: type as ValueType })}
                    options={typesOf(condition.operator).map((type) => ({ value: type, label: strings.types[type] }))}
                  />
                </Field>
              )}
            </div>
            {!disabled && (
              <IconButton
                label={strings.removeCondition(index + 1)}
                icon={<Trash2 size={14} aria-hidden />}
                onClick={() => onChange(conditions.filter((_, at) => at !== index))}
              />
            )}
          </div>
          {takesValues(condition.operator) && <Values condition={condition} suggestions={valuesOf(condition.attribute.trim())} listId={`values-of-condition-${index}`} disabled={disabled} onChange={(values) => set(index, { ...condition, values })} />}
          {takesValues(condition.operator) && hintOf(condition) && <p className="text-xs text-faint">{hintOf(condition)}</p>}
          {(problem?.fields ?? [])
            .filter(({ field }) => new RegExp(`${escaped(`${path}[${index}].values`)}`).test(field))
            .map(({ field, message }) => (
              <p key={field} role="alert" className="text-xs text-bad">
                {message}
              </p>
            ))}
        </fieldset>
      ))}
      {!disabled && (
        <Button size="sm" className="self-start" icon={<Plus size={14} aria-hidden />} onClick={() => onChange([...conditions, emptyCondition()])}>
          {strings.addCondition}
        </Button>
      )}
    </div>
  );
}

const escaped = (text: string) => text.replace(/[.[\]]/g, "\\$&");

interface ValuesProps {
  condition: ConditionDraft;
  suggestions: string[];
  listId: string;
  onChange: (values: string[]) => void;
  disabled?: boolean;
}

function Values({ condition, suggestions, listId, onChange, disabled }: ValuesProps) {
  const { values, type } = condition;
  const set = (index: number, text: string) => onChange(values.map((each, at) => (at === index ? text : each)));
  return (
    <div className="flex flex-wrap items-center gap-2">
      <datalist id={listId}>
        {suggestions.map((value) => (
          <option key={value} value={value} />
        ))}
      </datalist>
      {values.map((value, index) => (
        <div key={index} className="flex items-center">
          {type === "boolean" ? (
            <Select
              label={strings.value(index + 1)}
              value={value === "true" || value === "false" ? value : ""}
              disabled={disabled}
              onChange={(text) => set(index, text)}
              options={[...(value === "true" || value === "false" ? [] : [{ value: "", label: "—" }]), { value: "true", label: strings.yes }, { value: "false", label: strings.no }]}
            />
          ) : (
            <input
              className="field w-40"
              aria-label={strings.value(index + 1)}
              list={listId}
              inputMode={type === "number" ? "decimal" : undefined}
              spellCheck={false}
              value={value}
              disabled={disabled}
              onChange={(event) => set(index, event.target.value)}
            />
          )}
          {!disabled && values.length > 1 && (
            <IconButton label={strings.removeValue(index + 1)} icon={<X size={13} aria-hidden />} onClick={() => onChange(values.filter((_, at) => at !== index))} />
          )}
        </div>
      ))}
      {!disabled && (
        <Button size="sm" kind="quiet" icon={<Plus size={12} aria-hidden />} onClick={() => onChange([...values, ""])}>
          {strings.addValue}
        </Button>
      )}
    </div>
  );
}
