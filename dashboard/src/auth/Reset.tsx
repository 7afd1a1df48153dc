import { useState } from "react";
import { createApiClient } from "@/api/client";
import { Button } from "@/ui/Button";
import { fieldError } from "@/ui/Field";
import { Card } from "./Card";
import { PasswordField } from "./PasswordField";
import { Refused } from "./Refused";
import { strings } from "./strings";
import { useSubmit } from "./useSubmit";

const text = strings.reset;
const client = createApiClient();

/** Sets a new password, with the single-use token behind # in the mailed link. */
export function Reset({ token }: { token: string }) {
  const [password, setPassword] = useState("");
  const [done, setDone] = useState(false);
  const { problem, busy, submit } = useSubmit(
    () => client.POST("/v1/auth/password/reset", { body: { token, password } }),
    () => setDone(true),
  );
  const form = token !== "" && !done;
  return (
    <Card title={text.title} lead={done ? text.done : token ? text.lead : text.noToken}>
      {form && (
        <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
          <PasswordField
            label={text.password}
            hint={strings.setup.passwordHint}
            error={fieldError(problem, "password")}
            value={password}
            onChange={setPassword}
            autoComplete="new-password"
          />
          <Refused problem={problem} fields={["password"]} />
          <Button kind="primary" type="submit" busy={busy}>
            {text.submit}
          </Button>
        </form>
      )}
      {(!form || problem?.status === 401) && (
        <a href={done ? "/app/login" : "/app/forgot"} className="text-link underline underline-offset-2">
          {done ? text.toLogin : text.another}
        </a>
      )}
    </Card>
  );
}
