import { Undo2 } from "lucide-react";
import { useState } from "react";
import { useRefusal } from "@/api/access";
import type { Stream } from "@/api/overview";
import { RollbackDialog } from "@/rollback/RollbackDialog";
import { Button } from "@/ui/Button";
import { strings } from "./strings";
import { toRollBack } from "./toRollBack";

/** Shows a button that rolls back the newest release of the target, or its rollout. */
export function RollBack({ row }: { row: Stream }) {
  // The dialog keeps asking about the same release, even if another one is published while it is open.
  const [asked, setAsked] = useState<number | null>(null);
  const refusal = useRefusal("editor");
  const updateId = toRollBack(row);
  if (row.platform === "web" || updateId === undefined) return null;
  const title = strings.rollBackTitle(`${row.channel} · ${strings.platforms[row.platform] ?? row.platform}`);
  return (
    <>
      <Button
        size="sm"
        refusal={refusal}
        icon={<Undo2 size={12} aria-hidden />}
        aria-label={title}
        command={title}
        onClick={() => setAsked(updateId)}
        className="h-9 sm:h-7"
      >
        {strings.rollBack}
      </Button>
      {asked !== null && <RollbackDialog updateId={asked} channel={row.channel} platform={row.platform} onClose={() => setAsked(null)} />}
    </>
  );
}
