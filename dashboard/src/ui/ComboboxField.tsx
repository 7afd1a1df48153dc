import { Combobox as Base } from "@base-ui/react/combobox";
import { ChevronDown } from "lucide-react";
import { useMemo, useState, type ComponentProps } from "react";
import { useChoices, type Choice, type Choosable } from "@/api/choices";
import type { ListFilter } from "@/api/pages";
import { asProblem } from "@/api/problem";
import { count } from "@/format/format";
import { strings } from "@/strings";
import { cx } from "./cx";
import { useSettled } from "./useSettled";

export interface ComboboxProps<Name extends keyof Choosable> extends Pick<ComponentProps<"input">, "id" | "name" | "disabled" | "onBlur" | "aria-invalid" | "aria-describedby"> {
  /** The kind of the records to choose from. */
  of: Name;
  /** For a combobox without a Field around it. */
  label?: string;
  /** The name of a branch or channel, the key of a segment, or the ID of another record; "" for none. */
  value: string;
  /** Called with the chosen record, or with undefined for the choice `none`. */
  onChange: (value: string, record: Choosable[Name] | undefined) => void;
  /** Label of the choice "", which is offered first. Without it, a record must be chosen. */
  none?: string;
  /** The label of the value, if the value is not its own label. */
  valueLabel?: string;
  /** Records that are not offered, by their values. */
  except?: string[];
  /** Filters of the list, such as `{ channel: "production" }` for releases. */
  filter?: ListFilter;
  placeholder?: string;
  className?: string;
  autoFocus?: boolean;
}

/** The lazily loaded part of Combobox. Only Combobox uses it. */
export default function ComboboxField<Name extends keyof Choosable>(props: ComboboxProps<Name>) {
  const { of, label, value, onChange, none, valueLabel, except = [], filter = {}, className, ...input } = props;
  const [open, setOpen] = useState(false);
  /** The typed text, or null while the field shows the value. */
  const [typed, setTyped] = useState<string | null>(null);
  const [chosen, setChosen] = useState<Choice<Choosable[Name]>>();
  const search = useSettled(typed ?? "");
  const query = useChoices(of, search, filter, open);
  // Until the server has found the typed text, Enter must not choose one of the records from before.
  const isFound = search === (typed ?? "") && !query.isPlaceholderData;
  const found = (query.data?.choices ?? []).filter((choice) => !except.includes(choice.value) && (isFound || hasText(choice, typed ?? "")));
  const choices: Choice<Choosable[Name]>[] = none !== undefined && !typed ? [{ value: "", label: none }, ...found] : found;
  const known = chosen?.value === value ? chosen : undefined;
  const current = useMemo<Choice<Choosable[Name]> | null>(() => {
    if (value === "") return none === undefined ? null : { value, label: none };
    return known ?? { value, label: valueLabel ?? value };
  }, [value, none, known, valueLabel]);
  const total = query.data?.total ?? 0;
  const isSettled = search === (typed ?? "") && !query.isFetching;
  return (
    <Base.Root<Choice<Choosable[Name]>>
      items={choices}
      filter={null}
      value={current}
      isItemEqualToValue={(a, b) => a.value === b.value}
      itemToStringLabel={(choice) => choice.label}
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        if (!next) setTyped(null);
      }}
      inputValue={typed ?? current?.label ?? ""}
      onInputValueChange={(text, { reason }) => setTyped(reason === "input-change" || reason === "input-clear" ? text : null)}
      onValueChange={(choice, details) => {
        // Escape on a closed list keeps the value, and closes the dialog around the field.
        if (!choice && details.reason === "escape-key") details.allowPropagation();
        if (!choice) return; // The text was cleared to type another one.
        setChosen(choice);
        onChange(choice.value, choice.record);
      }}
      autoHighlight
      disabled={input.disabled}
    >
      <div className={cx("relative min-w-0", className ?? "w-full sm:w-56")}>
        <Base.Input
          {...input}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || isFound || choices.length > 0) return;
            event.preventDefault();
            event.preventBaseUIHandler();
          }}
          placeholder={props.placeholder ?? strings.combobox.placeholder}
          aria-label={label}
          onFocus={(event) => event.target.select()}
          className="field w-full pr-7 text-ellipsis"
        />
        <ChevronDown size={14} aria-hidden className="pointer-events-none absolute top-1/2 right-2 -translate-y-1/2 text-faint" />
      </div>
      <Base.Portal>
        <Base.Positioner sideOffset={4} className="z-50">
          <Base.Popup className="w-(--anchor-width) max-w-[calc(100vw-1rem)] min-w-56 rounded-lg bg-raised p-1 shadow-pop">
            <Base.Status className="px-2 py-1 text-xs text-faint">
              {query.error ? strings.combobox.failed(asProblem(query.error).message) : !query.data ? strings.panel.loading : total > found.length + except.length ? strings.combobox.some(count(found.length), count(total)) : ""}
            </Base.Status>
            <Base.Empty className="px-2 py-1 text-sm text-muted empty:hidden">{isSettled && query.data ? strings.combobox.none : null}</Base.Empty>
            <Base.List className="max-h-[min(20rem,var(--available-height))] overflow-y-auto">
              {(choice: Choice<Choosable[Name]>) => (
                <Base.Item key={choice.value} value={choice} className="flex min-h-8 flex-col justify-center rounded-md px-2 py-1 -outline-offset-1 outline-edge data-highlighted:bg-hover data-highlighted:outline data-selected:font-medium">
                  <span className="break-words">{choice.label}</span>
                  {choice.hint && choice.hint !== choice.label && <span className="truncate text-xs font-normal text-muted">{choice.hint}</span>}
                </Base.Item>
              )}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** Reports whether a choice shows every typed word. */
function hasText({ label, hint = "" }: Choice<unknown>, typed: string): boolean {
  const text = `${label} ${hint}`.toLowerCase();
  return typed.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}
