import type { ComponentProps } from "react";
import { useTyped } from "./useTyped";

type Props = Omit<ComponentProps<"textarea">, "value" | "onChange"> & { value: string; onText: (text: string) => void };

/** A multi-line text field whose value is kept in the address. */
export function TypedArea({ value, onText, ...rest }: Props) {
  const typed = useTyped(value, onText);
  return (
    <textarea
      {...rest}
      value={typed.text}
      onChange={(event) => {
        typed.setText(event.target.value);
        typed.tell(event.target.value);
      }}
    />
  );
}
