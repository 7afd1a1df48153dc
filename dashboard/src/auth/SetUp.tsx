import { useEffect, useState } from "react";
import { createApiClient } from "@/api/client";
import { Button } from "@/ui/Button";
import { Command } from "@/ui/Command";
import { Field, fieldError } from "@/ui/Field";
import { Card } from "./Card";
import { PasswordField } from "./PasswordField";
import { Refused } from "./Refused";
import { strings } from "./strings";
import { useSubmit } from "./useSubmit";

const text = strings.setup;
const client = createApiClient();

/** Creates the first account, with the single-use token behind # in the link. */
export function SetUp({ token }: { token: string }) {
  const [email, setEmail] = useState("");
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const { problem, busy, submit } = useSubmit(() => client.POST("/v1/auth/setup", { body: { token, email, name, password } }));
  const isUsed = useIsSetUp(token !== "") || problem?.status === 409;
  if (token && isUsed) {
    return (
      <Card title={text.usedTitle} lead={text.used}>
        <a href="/app/login" className="text-link underline underline-offset-2">
          {text.toLogin}
        </a>
      </Card>
    );
  }
  if (!token) {
    return (
      <Card title={text.title} lead={text.noToken}>
        <Command line={strings.setupCommand} />
      </Card>
    );
  }
  return (
    <Card title={text.title} lead={text.lead}>
      <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
        <Field label={text.email} error={fieldError(problem, "email")}>
          <input className="field" type="email" autoFocus autoComplete="username" required value={email} onChange={(event) => setEmail(event.target.value)} />
        </Field>
        <Field label={text.name} error={fieldError(problem, "name")}>
          <input className="field" autoComplete="name" required value={name} onChange={(event) => setName(event.target.value)} />
        </Field>
        <PasswordField
          label={text.password}
          hint={text.passwordHint}
          error={fieldError(problem, "password")}
          value={password}
          onChange={setPassword}
          autoComplete="new-password"
        />
        <Refused problem={problem} fields={["email", "name", "password"]} />
        <Button kind="primary" type="submit" busy={busy}>
          {text.submit}
        </Button>
      </form>
    </Card>
  );
}

/** Reports whether the installation has its first account, and so whether every setup link is used. False until the server responds. */
function useIsSetUp(asks: boolean): boolean {
  const [isSetUp, setIsSetUp] = useState(false);
  useEffect(() => {
    if (!asks) return;
    // If this fails, the form is shown, and sending it reports the problem.
    client.GET("/v1/auth/methods").then(
      ({ data }) => setIsSetUp(data?.setupRequired === false),
      () => {},
    );
  }, [asks]);
  return isSetUp;
}
