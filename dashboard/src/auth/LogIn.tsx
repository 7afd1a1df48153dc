import { useCallback, useEffect, useState } from "react";
import { createApiClient, type Schemas } from "@/api/client";
import { asProblem, Problem } from "@/api/problem";
import { Button } from "@/ui/Button";
import { Command } from "@/ui/Command";
import { Field } from "@/ui/Field";
import { Card } from "./Card";
import { knowsPasskeys, logInWithPasskey } from "./passkey";
import { nextAddress } from "./leave";
import { PasswordField } from "./PasswordField";
import { Provider } from "./Provider";
import { Refused } from "./Refused";
import { strings } from "./strings";
import { useSubmit } from "./useSubmit";

const text = strings.login;
const client = createApiClient();

/**
 * Offers the server's sign-in methods: password, passkey, identity providers. `refused` is the API's error code if a sign-in with an
 * identity provider was refused.
 */
export function LogIn({ refused }: { refused: string | null }) {
  const [methods, setMethods] = useState<Schemas["LoginMethods"] | null>(null);
  const [failure, setFailure] = useState<Problem | null>(null);
  const load = useCallback(() => {
    client
      .GET("/v1/auth/methods")
      .then(({ data }) => {
        setFailure(null);
        setMethods(data ?? null);
      })
      .catch((error: unknown) => setFailure(asProblem(error)));
  }, []);
  useEffect(load, [load]);
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const byPassword = useSubmit(() => client.POST("/v1/auth/login", { body: { email, password } }));
  const byPasskey = useSubmit(async () => {
    try {
      await logInWithPasskey();
    } catch (error) {
      if (error instanceof Problem) throw error;
      throw new Problem({ status: 0, code: "no_passkey", detail: strings.passkeyFailed });
    }
  });

  const returnTo = nextAddress(new URLSearchParams(location.search).get("next"));
  const passkeys = methods?.passkeys && knowsPasskeys();
  return (
    <Card title={text.title} lead={text.lead}>
      {refused !== null && (
        <p role="alert" className="rounded-md bg-bad-soft px-3 py-2 text-bad">
          {text.refused[refused] ?? text.refusedElse}
        </p>
      )}
      {failure && (
        <div className="flex flex-col items-start gap-2">
          <Refused problem={failure} />
          <Button onClick={load}>{strings.retry}</Button>
        </div>
      )}
      {methods?.setupRequired && (
        <div className="flex flex-col gap-2 rounded-lg border bg-panel p-3">
          <p>{text.setupRequired}</p>
          <Command line={strings.setupCommand} />
        </div>
      )}
      {methods?.password && (
        <form className="flex flex-col gap-4" onSubmit={(event) => void byPassword.submit(event)}>
          <Field label={text.email}>
            <input className="field" type="email" autoFocus autoComplete="username webauthn" required value={email} onChange={(event) => setEmail(event.target.value)} />
          </Field>
          <PasswordField label={text.password} value={password} onChange={setPassword} autoComplete="current-password" />
          <Refused problem={byPassword.problem} />
          <Button kind="primary" type="submit" busy={byPassword.busy}>
            {text.submit}
          </Button>
          {methods.forgotPassword && (
            <a href="/app/forgot" className="self-start text-link underline underline-offset-2">
              {text.forgot}
            </a>
          )}
        </form>
      )}
      {methods && (passkeys || methods.oidc.length > 0) && (
        <div className="flex flex-col gap-2">
          {methods.password && <p className="text-center text-xs text-faint">{text.or}</p>}
          {passkeys && (
            <Button busy={byPasskey.busy} onClick={() => void byPasskey.submit()}>
              {text.passkey}
            </Button>
          )}
          <Refused problem={byPasskey.problem} />
          {methods.oidc.map((provider) => (
            <Provider key={provider.id} provider={provider} returnTo={returnTo} />
          ))}
        </div>
      )}
      {methods && !methods.password && !passkeys && methods.oidc.length === 0 && <p>{text.none}</p>}
    </Card>
  );
}
