import { FastForward, Pause, Play, Undo2, XCircle } from "lucide-react";
import { useState } from "react";
import { useRefusal } from "@/api/access";
import { RollbackDialog } from "@/rollback/RollbackDialog";
import { Button } from "@/ui/Button";
import { CommandDialog, type Command } from "./CommandDialog";
import { isOpen, type Execution } from "./status";
import { strings } from "./strings";

const { actions: text } = strings;

/**
 * The buttons for a rollout's commands. Each opens a dialog that shows the effect first. A completed rollout can only be rolled back.
 * After any other end, devices no longer depend on the rollout.
 */
export function Actions({ execution }: { execution: Execution }) {
  const refusal = useRefusal("editor");
  const [command, setCommand] = useState<Command | "rollback" | null>(null);
  const { channel } = execution;
  const canRollBack = isOpen(execution) || (execution.status === "completed" && channel !== null);
  const isPaused = execution.status === "paused";
  const close = () => setCommand(null);
  return (
    <>
      {isOpen(execution) && (
        <>
          {isPaused ? (
            <Button icon={<Play size={14} aria-hidden />} refusal={refusal} command={text.commands.resume} onClick={() => setCommand("resume")}>
              {text.resume}
            </Button>
          ) : (
            <Button icon={<Pause size={14} aria-hidden />} refusal={refusal} command={text.commands.pause} onClick={() => setCommand("pause")}>
              {text.pause}
            </Button>
          )}
          <Button icon={<FastForward size={14} aria-hidden />} refusal={refusal ?? (isPaused ? text.isPaused : null)} command={text.commands.advance} onClick={() => setCommand("advance")}>
            {text.advance}
          </Button>
          <Button icon={<XCircle size={14} aria-hidden />} refusal={refusal} command={text.commands.cancel} onClick={() => setCommand("cancel")}>
            {text.cancel}
          </Button>
        </>
      )}
      {canRollBack && (
        <Button kind="danger" icon={<Undo2 size={14} aria-hidden />} refusal={refusal} command={text.commands.rollback} onClick={() => setCommand("rollback")}>
          {text.rollback}
        </Button>
      )}
      {command === "rollback" ? (
        <RollbackDialog updateId={execution.updateId} channel={channel} platform={execution.platform} onClose={close} />
      ) : (
        command && <CommandDialog execution={execution} command={command} onClose={close} />
      )}
    </>
  );
}
