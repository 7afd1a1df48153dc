import type { Schemas } from "@/api/client";
import { percent } from "@/format/format";
import type { Mark } from "@/ui/chartProps";
import { strings } from "./strings";

type Entry = Pick<Schemas["AuditEntry"], "action" | "createdAt" | "details">;

/** When the release was published, and what changed who gets it since. */
export function marksOf({ id, createdAt }: Pick<Schemas["Update"], "id" | "createdAt">, history: Entry[]): Mark[] {
  const marks: Mark[] = [{ at: Date.parse(createdAt), label: strings.charts.marks.published }];
  for (const entry of history) {
    const mark = markOf(id, entry);
    if (mark) marks.push({ at: Date.parse(entry.createdAt), ...mark });
  }
  return marks;
}

/** What a change of the release is marked as; null when it did not change who gets it. */
export function markOf(id: number, { action, details }: Omit<Entry, "createdAt">): Omit<Mark, "at"> | null {
  const text = strings.charts.marks;
  if (action === "update.rollback") {
    const { rolledBackUpdateIds: ids } = details;
    // The history has rollbacks from the release and those to it.
    return Array.isArray(ids) && ids.includes(id) ? { label: text.rolledBack, tone: "bad" } : { label: text.rolledBackTo };
  }
  if (action !== "update.patched") return null;
  const enabled = after(details.isEnabled);
  if (enabled === false) return { label: text.off, tone: "bad" };
  if (enabled === true) return { label: text.on };
  const share = after(details.rolloutPercentage);
  return typeof share === "number" ? { label: percent(share, 0) } : null;
}

/** The new value of a field in the details of a change; undefined when the field did not change. */
function after(change: unknown): unknown {
  return typeof change === "object" && change !== null && "after" in change ? change.after : undefined;
}
