import type { Schemas } from "@/api/client";
import { percent } from "@/format/format";
import type { Mark } from "@/ui/chartProps";
import { strings } from "./strings";

type Entry = Pick<Schemas["AuditEntry"], "action" | "createdAt" | "details">;

/** Returns chart marks for the publication of the release, and for later changes of the devices that get it. */
export function marksOf({ id, createdAt }: Pick<Schemas["Update"], "id" | "createdAt">, history: Entry[]): Mark[] {
  const marks: Mark[] = [{ at: Date.parse(createdAt), label: strings.charts.marks.published }];
  for (const entry of history) {
    const mark = markOf(id, entry);
    if (mark) marks.push({ at: Date.parse(entry.createdAt), ...mark });
  }
  return marks;
}

/** Returns the mark for a change of the release, or null if it did not change which devices get the release. */
export function markOf(id: number, { action, details }: Omit<Entry, "createdAt">): Omit<Mark, "at"> | null {
  const text = strings.charts.marks;
  if (action === "update.rollback") {
    const { rolledBackUpdateIds: ids } = details;
    // The history contains rollbacks from the release and rollbacks to it.
    return Array.isArray(ids) && ids.includes(id) ? { label: text.rolledBack, tone: "bad" } : { label: text.rolledBackTo };
  }
  if (action !== "update.patched") return null;
  const enabled = after(details.isEnabled);
  if (enabled === false) return { label: text.off, tone: "bad" };
  if (enabled === true) return { label: text.on };
  const share = after(details.rolloutPercentage);
  return typeof share === "number" ? { label: percent(share) } : null;
}

/** Returns the new value of a changed field, or undefined if the field did not change. */
function after(change: unknown): unknown {
  return typeof change === "object" && change !== null && "after" in change ? change.after : undefined;
}
