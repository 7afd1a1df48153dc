import { useState } from "react";
import { createApiClient } from "@/api/client";
import { Button } from "@/ui/Button";
import { Field, fieldError } from "@/ui/Field";
import { Card } from "./Card";
import { PasswordField } from "./PasswordField";
import { enter } from "./leave";
import { Refused } from "./Refused";
import { strings } from "./strings";
import { useSubmit } from "./useSubmit";

const text = strings.invite;
const client = createApiClient();

/** Accepts an invitation, with the single-use token behind # in the link. */
export function Invite({ token }: { token: string }) {
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const { problem, busy, submit } = useSubmit(
    () => client.POST("/v1/auth/invitations/accept", { body: { token, password, ...(name ? { name } : {}) } }),
    () => void enter(client),
  );
  if (!token) return <Card title={text.title} lead={text.noToken}>{null}</Card>;
  return (
    <Card title={text.title} lead={text.lead}>
      <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
        <Field label={text.name} hint={text.nameHint} error={fieldError(problem, "name")}>
          <input className="field" autoFocus autoComplete="name" value={name} onChange={(event) => setName(event.target.value)} />
        </Field>
        <PasswordField label={text.password} error={fieldError(problem, "password")} value={password} onChange={setPassword} autoComplete="new-password" />
        <Refused problem={problem} fields={["name", "password"]} />
        <Button kind="primary" type="submit" busy={busy}>
          {text.submit}
        </Button>
      </form>
    </Card>
  );
}
