import { Check, Copy as CopyIcon } from "lucide-react";
import { useState } from "react";
import { announce } from "./announce";
import { IconButton } from "./IconButton";
import { strings } from "./strings";

/** A button that copies the text. */
export function Copy({ text, label = strings.copy }: { text: string; label?: string }) {
  const [done, setDone] = useState(false);
  return (
    <IconButton
      label={done ? strings.copied : label}
      icon={done ? <Check size={14} aria-hidden /> : <CopyIcon size={14} aria-hidden />}
      onClick={() => {
        void navigator.clipboard.writeText(text).then(() => {
          setDone(true);
          announce(strings.copied);
          setTimeout(() => setDone(false), 2_000);
        });
      }}
    />
  );
}
