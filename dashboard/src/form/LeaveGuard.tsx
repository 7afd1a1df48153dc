import { useBlocker } from "@tanstack/react-router";
import { useHeldInput } from "@/api/heldInput";
import { DiscardDialog } from "./DiscardDialog";

/** Asks before the page is left with unsaved changes. Changing filters or tabs in the address does not count as leaving. */
export function LeaveGuard({ when }: { when: boolean }) {
  useHeldInput(when);
  const blocker = useBlocker({
    disabled: !when,
    enableBeforeUnload: when,
    withResolver: true,
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname,
  });
  if (blocker.status !== "blocked") return null;
  return <DiscardDialog onStay={blocker.reset} onDiscard={blocker.proceed} />;
}
