import { useBlocker } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { strings } from "@/strings";
import { Button } from "./Button";
import { Command } from "./Command";
import { Dialog } from "./Dialog";

interface Props {
  title: string;
  /** A sentence under the title. */
  text?: ReactNode;
  secret: string;
  onClose: () => void;
}

/** Shows a secret that the server does not show again. Only its button closes it. It blocks navigation, so that the secret is not lost. */
export function SecretDialog({ title, text, secret, onClose }: Props) {
  useBlocker({ shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname, enableBeforeUnload: true });
  return (
    <Dialog
      open
      held={strings.secret.held}
      onClose={onClose}
      title={title}
      text={text}
      footer={
        <Button kind="primary" onClick={onClose}>
          {strings.secret.copied}
        </Button>
      }
    >
      <div className="flex flex-col gap-2 rounded-lg bg-warn-soft p-3">
        <p className="font-medium text-warn">{strings.secret.once}</p>
        <Command line={secret} />
      </div>
    </Dialog>
  );
}
