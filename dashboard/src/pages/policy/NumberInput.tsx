import type { Path } from "react-hook-form";
import { Input } from "@/form/Input";
import type { Fields } from "@/form/useFields";
import type { Draft } from "./draft";

interface Props {
  of: Fields<Draft>;
  name: Path<Draft>;
  label: string;
  hint?: string;
  /** The error of the number, or null. */
  check?: (value: string) => string | null;
}

/** An input for a number that may be empty. */
export function NumberInput({ check, ...rest }: Props) {
  return <Input {...rest} type="number" inputMode="decimal" step="any" rules={{ validate: (value) => check?.(value as string) ?? true }} />;
}
