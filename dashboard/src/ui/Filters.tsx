import { SlidersHorizontal } from "lucide-react";
import { useState, type ReactNode } from "react";
import { strings } from "@/strings";
import { Button } from "./Button";

/** Controls that filter a list. On a narrow screen a button opens them and shows the number of active filters. */
export function Filters({ active, children }: { active: number; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button className="h-9 md:hidden" icon={<SlidersHorizontal size={14} aria-hidden />} aria-expanded={open} onClick={() => setOpen(!open)}>
        {strings.table.filters(active)}
      </Button>
      <div className={open ? "flex w-full flex-wrap gap-2 md:contents" : "hidden md:contents"}>{children}</div>
    </>
  );
}
