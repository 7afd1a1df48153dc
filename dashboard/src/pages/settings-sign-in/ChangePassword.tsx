import { useState } from "react";
import { useChange } from "@/api/change";
import { PasswordField } from "@/auth/PasswordField";
import { Button } from "@/ui/Button";
import { fieldError } from "@/ui/Field";
import { NotDone } from "@/ui/NotDone";
import { strings } from "./strings";

const text = strings.password;

export function ChangePassword() {
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const save = useChange<void, unknown>({
    run: (client): Promise<{ data?: unknown }> => client.POST("/v1/auth/password", { body: { new: next, ...(current && { current }) } }),
    done: text.done,
    onDone: () => {
      setCurrent("");
      setNext("");
    },
  });
  return (
    <form
      className="flex max-w-md flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <PasswordField label={text.current} hint={text.currentHint} error={fieldError(save.error, "current")} value={current} onChange={setCurrent} autoComplete="current-password" required={false} />
      <PasswordField label={text.next} hint={text.nextHint} error={fieldError(save.error, "new")} value={next} onChange={setNext} autoComplete="new-password" />
      {save.error && save.error.fields.length === 0 && <NotDone problem={save.error} />}
      <Button kind="primary" type="submit" className="self-start" command busy={save.isPending}>
        {text.save}
      </Button>
    </form>
  );
}
