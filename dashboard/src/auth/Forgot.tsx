import { useState } from "react";
import { createApiClient } from "@/api/client";
import { Button } from "@/ui/Button";
import { Field, fieldError } from "@/ui/Field";
import { Card } from "./Card";
import { Refused } from "./Refused";
import { strings } from "./strings";
import { useSubmit } from "./useSubmit";

const text = strings.forgot;
const client = createApiClient();

/** Requests a link to set a new password. The page shows the same message for every address, as the API does. */
export function Forgot() {
  const [email, setEmail] = useState("");
  const [sent, setSent] = useState(false);
  const { problem, busy, submit } = useSubmit(
    () => client.POST("/v1/auth/password/forgot", { body: { email } }),
    () => setSent(true),
  );
  return (
    <Card title={sent ? text.sentTitle : text.title} lead={sent ? text.sent(email) : text.lead}>
      {!sent && (
        <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
          <Field label={text.email} error={fieldError(problem, "email")}>
            <input className="field" type="email" autoFocus autoComplete="username" required value={email} onChange={(event) => setEmail(event.target.value)} />
          </Field>
          <Refused problem={problem} fields={["email"]} />
          <Button kind="primary" type="submit" busy={busy}>
            {text.submit}
          </Button>
        </form>
      )}
      <a href="/app/login" className="text-link underline underline-offset-2">
        {text.toLogin}
      </a>
    </Card>
  );
}
