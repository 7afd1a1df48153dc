import { Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "@/ui/IconButton";

interface Props {
  /** The row's name, such as Stage 1. */
  name: string;
  number: number;
  /** Label of the delete button. Without it there is no button. */
  remove: string | null;
  onRemove: () => void;
  /** The fields, in a grid. */
  children: ReactNode;
}

/** A row of a list in the editor. On a narrow screen it becomes a card with full-width fields below its name. */
export function EditorRow({ name, number, remove, onRemove, children }: Props) {
  return (
    <fieldset className="flex flex-wrap items-center gap-x-2 gap-y-1 max-sm:rounded-md max-sm:border max-sm:p-2 sm:flex-nowrap sm:items-start">
      <legend className="sr-only">{name}</legend>
      <span aria-hidden className="flex-1 font-medium sm:hidden">
        {name}
      </span>
      <span aria-hidden className="w-5 pt-6 text-right text-muted tabular-nums max-sm:hidden">
        {number}
      </span>
      <div className="min-w-0 max-sm:order-last max-sm:w-full sm:flex-1">{children}</div>
      {remove && <IconButton className="sm:mt-5" label={remove} icon={<Trash2 size={14} aria-hidden />} onClick={onRemove} />}
    </fieldset>
  );
}
