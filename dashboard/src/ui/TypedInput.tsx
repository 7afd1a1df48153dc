import type { ComponentProps } from "react";
import { useTyped } from "./useTyped";

type Props = Omit<ComponentProps<"input">, "value" | "onChange"> & { value: string; onText: (text: string) => void };

/** An input whose value is kept in the address. */
export function TypedInput({ value, onText, ...rest }: Props) {
  const typed = useTyped(value, onText);
  return (
    <input
      {...rest}
      value={typed.text}
      onChange={(event) => {
        typed.setText(event.target.value);
        typed.tell(event.target.value);
      }}
    />
  );
}
