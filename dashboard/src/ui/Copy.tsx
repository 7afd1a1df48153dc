import { Check, Copy as CopyIcon } from "lucide-react";
import { useState } from "react";
import { announce } from "./announce";
import { IconButton } from "./IconButton";
import { strings } from "./strings";
import { toast } from "./toast";

/** A button that copies the text. If the browser does not permit that, a message tells the person to select the text. */
export function Copy({ text, label = strings.copy }: { text: string; label?: string }) {
  const [done, setDone] = useState(false);
  return (
    <IconButton
      label={done ? strings.copied : label}
      icon={done ? <Check size={14} aria-hidden /> : <CopyIcon size={14} aria-hidden />}
      onClick={() => {
        write(text).then(
          () => {
            setDone(true);
            announce(strings.copied);
            setTimeout(() => setDone(false), 2_000);
          },
          () => toast({ title: strings.notCopied, tone: "bad" }),
        );
      }}
    />
  );
}

/** Copies the text. Rejects if the person has denied it, or if the page is not on https: browsers then offer no clipboard. */
async function write(text: string) {
  await navigator.clipboard.writeText(text);
}
