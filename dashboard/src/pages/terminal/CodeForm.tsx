import { useState } from "react";
import { Button } from "@/ui/Button";
import { Field } from "@/ui/Field";
import { Panel } from "@/ui/Panel";
import { strings } from "./strings";

/** Asks for the code, for people who opened the page without it. */
export function CodeForm({ onCode }: { onCode: (code: string) => void }) {
  const [typed, setTyped] = useState("");
  return (
    <Panel title={strings.ask}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          onCode(typed.trim());
        }}
      >
        <Field label={strings.code} hint={strings.codeHint}>
          <input className="field font-mono uppercase" autoFocus autoComplete="off" spellCheck={false} required value={typed} onChange={(event) => setTyped(event.target.value)} />
        </Field>
        <Button kind="primary" type="submit" className="self-start">
          {strings.next}
        </Button>
      </form>
    </Panel>
  );
}
