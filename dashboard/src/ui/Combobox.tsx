import { lazy, Suspense, useState } from "react";
import type { Choosable } from "@/api/choices";
import { strings } from "@/strings";
import type { ComboboxProps } from "./ComboboxField";
import type LoadedField from "./ComboboxField";
import { cx } from "./cx";
import { loadCode } from "./loadCode";

// This code is loaded after the page.
const Field = lazy(() => loadCode(() => import("./ComboboxField"))) as unknown as typeof LoadedField;

/** A chooser of one record of a list of any length. The server searches for what is typed. */
export function Combobox<Name extends keyof Choosable>(props: ComboboxProps<Name>) {
  const [isFocused, setFocused] = useState(false);
  const label = props.value === "" ? props.none : (props.valueLabel ?? props.value);
  const placeholder = (
    <div className={cx("min-w-0", props.className ?? "w-full sm:w-56")}>
      <input
        readOnly
        id={props.id}
        disabled={props.disabled}
        aria-label={props.label}
        value={label ?? ""}
        placeholder={props.placeholder ?? strings.combobox.placeholder}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
        className="field w-full pr-7 text-ellipsis"
      />
    </div>
  );
  return (
    <Suspense fallback={placeholder}>
      <Field {...props} autoFocus={isFocused} />
    </Suspense>
  );
}
