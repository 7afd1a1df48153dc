import { Check, Copy as CopyIcon } from "lucide-react";
import { useState } from "react";
import { strings } from "@/strings";
import { announce } from "./announce";
import { IconButton } from "./IconButton";

/** A button that copies the text. */
export function Copy({ text, label = strings.empty.copy }: { text: string; label?: string }) {
  const [done, setDone] = useState(false);
  return (
    <IconButton
      label={done ? strings.empty.copied : label}
      icon={done ? <Check size={14} aria-hidden /> : <CopyIcon size={14} aria-hidden />}
      onClick={() => {
        void navigator.clipboard.writeText(text).then(() => {
          setDone(true);
          announce(strings.empty.copied);
          setTimeout(() => setDone(false), 2_000);
        });
      }}
    />
  );
}
