import { useNavigate } from "@tanstack/react-router";
import { Columns2, MoreHorizontal, Undo2 } from "lucide-react";
import { useState } from "react";
import { useRefusal } from "@/api/access";
import type { Schemas } from "@/api/client";
import { useProject } from "@/api/project";
import { RollbackDialog } from "@/rollback/RollbackDialog";
import { StartDialog } from "@/start-rollout/StartDialog";
import { strings as start } from "@/start-rollout/strings";
import { Button } from "@/ui/Button";
import { Menu } from "@/ui/Menu";
import { ChangeDialog, type Change } from "./ChangeDialog";
import { RepublishDialog } from "./RepublishDialog";
import { ShareDialog } from "./ShareDialog";
import { strings } from "./strings";

const { actions: text } = strings;
type Action = Change | "start" | "share" | "republish" | "rollback";

/** The buttons and the menu with the release's actions. */
export function Actions({ release }: { release: Schemas["Update"] }) {
  const editor = useRefusal("editor");
  const { slug: project } = useProject();
  const navigate = useNavigate();
  const [action, setAction] = useState<Action | null>(null);
  const close = () => setAction(null);
  const driven = release.rolloutExecutionId !== null && release.rolloutPercentage < 100 ? text.shareDrives : null;
  const isEmbedded = release.kind === "rollback_to_embedded";
  const startRefusal = isEmbedded ? start.embedded : !release.isEnabled ? start.off : release.rolloutExecutionId !== null ? start.running : null;
  return (
    <>
      <Button
        icon={<Columns2 size={14} aria-hidden />}
        command={text.compareCommand}
        onClick={() => void navigate({ to: "/$project/releases/compare", params: { project }, search: { release: String(release.id) } })}
      >
        {text.compare}
      </Button>
      <Button command={start.command} onClick={() => setAction("start")} refusal={editor ?? startRefusal}>
        {start.title}
      </Button>
      <Button command={text.republishCommand} onClick={() => setAction("republish")} refusal={editor}>
        {text.republish}
      </Button>
      <Button kind={release.isEnabled ? "danger" : "plain"} icon={<Undo2 size={14} aria-hidden />} command={text.rollbackCommand} onClick={() => setAction("rollback")} refusal={editor ?? (release.channel ? null : text.noChannel)}>
        {text.rollback}
      </Button>
      <Menu
        trigger={<Button aria-label={text.more} icon={<MoreHorizontal size={14} aria-hidden />} />}
        items={[
          release.isEnabled
            ? { label: text.disable, command: text.commands.disable, onSelect: () => setAction("disable"), refusal: editor, danger: true }
            : { label: text.enable, command: text.commands.enable, onSelect: () => setAction("enable"), refusal: editor },
          ...(isEmbedded
            ? []
            : [
                release.isCritical
                  ? { label: text.uncritical, command: text.commands.uncritical, onSelect: () => setAction("uncritical"), refusal: editor }
                  : { label: text.critical, command: text.commands.critical, onSelect: () => setAction("critical"), refusal: editor },
                { label: text.share, command: text.commands.share, onSelect: () => setAction("share"), refusal: editor ?? driven },
              ]),
          { label: text.remove, command: text.commands.remove, onSelect: () => setAction("remove"), refusal: editor, danger: true },
        ]}
      />
      {action === "start" && <StartDialog updateId={release.id} onClose={close} />}
      {action === "republish" && <RepublishDialog release={release} onClose={close} />}
      {action === "rollback" && release.channel !== null && (
        <RollbackDialog updateId={release.id} channel={release.channel} platform={release.platform} onClose={close} />
      )}
      {action === "share" && <ShareDialog id={release.id} onClose={close} />}
      {action && action !== "start" && action !== "share" && action !== "republish" && action !== "rollback" && <ChangeDialog key={action} release={release} change={action} onClose={close} />}
    </>
  );
}
