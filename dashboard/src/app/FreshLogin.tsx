import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { leaveToLogin, type Schemas } from "@/api/client";
import { asProblem, Problem } from "@/api/problem";
import type { Why } from "@/api/reauthentication";
import { knowsPasskeys, logInWithPasskey } from "@/auth/passkey";
import { Provider } from "@/auth/Provider";
import { strings } from "@/strings";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Failure } from "@/ui/Failure";
import { Field } from "@/ui/Field";
import { Placeholder } from "@/ui/Panel";
import { peopleClient, useMe } from "./session";

const text = strings.reauthentication;

/** Asks the person to sign in again by any sign-in method of their account. */
export default function FreshLogin({ why, onClose }: { why: Why; onClose: (ok: boolean) => void }) {
  const methods = useQuery({
    queryKey: ["own methods", why],
    staleTime: 0,
    queryFn: ({ signal }) => (why === "old" ? ownMethods(signal) : allMethods(signal)),
  });
  return (
    <Dialog open over onClose={() => onClose(false)} title={text[why].title} text={text[why].text}>
      {methods.data ? (
        <Methods methods={methods.data} onDone={() => onClose(true)} />
      ) : methods.error ? (
        <Failure error={methods.error} onRetry={() => void methods.refetch()} />
      ) : (
        <Placeholder className="h-28" />
      )}
    </Dialog>
  );
}

type OwnMethods = Pick<Schemas["OwnLoginMethods"], "password" | "passkeys" | "oidc">;

async function ownMethods(signal: AbortSignal): Promise<OwnMethods> {
  try {
    return (await peopleClient.GET("/v1/auth/methods/own", { signal })).data!;
  } catch (error) {
    // The session has ended in the meantime.
    if (asProblem(error).status === 401) return allMethods(signal);
    throw error;
  }
}

/** Returns the installation's methods. Without a session, the server does not know the person's own methods. */
async function allMethods(signal: AbortSignal): Promise<OwnMethods> {
  return (await peopleClient.GET("/v1/auth/methods", { signal })).data!;
}

function Methods({ methods, onDone }: { methods: OwnMethods; onDone: () => void }) {
  const me = useMe();
  const [password, setPassword] = useState("");
  const [failure, setFailure] = useState<{ of: "password" | "passkey"; text: string } | null>(null);
  const [busy, setBusy] = useState<"password" | "passkey" | null>(null);
  const [isElsewhere, setIsElsewhere] = useState(false);
  const passkeys = methods.passkeys && knowsPasskeys();
  const logIn = async (by: "password" | "passkey", send: () => Promise<Schemas["User"] | undefined>) => {
    setBusy(by);
    setFailure(null);
    try {
      const user = await send();
      // A different person signed in, and the page still shows the previous person's data.
      if (user && user.id !== me.data?.user?.id) location.reload();
      else onDone();
    } catch (error) {
      setFailure({ of: by, text: by === "passkey" && !(error instanceof Problem) ? text.noPasskey : asProblem(error).message });
    } finally {
      setBusy(null);
    }
  };
  const email = me.data?.user?.email ?? "";
  return (
    <div className="flex flex-col gap-4">
      {methods.password && (
        <form
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            void logIn("password", async () => (await peopleClient.POST("/v1/auth/login", { body: { email, password } })).data?.user);
          }}
        >
          <input type="email" hidden readOnly autoComplete="username" value={email} />
          <Field label={text.password} error={failure?.of === "password" ? failure.text : null}>
            <input type="password" autoFocus className="field" required autoComplete="current-password" value={password} onChange={(event) => setPassword(event.target.value)} />
          </Field>
          <Button kind="primary" type="submit" busy={busy === "password"} className="self-end">
            {text.submit}
          </Button>
        </form>
      )}
      {passkeys && (
        <div className="flex flex-col gap-1">
          <Button busy={busy === "passkey"} onClick={() => void logIn("passkey", logInWithPasskey)}>
            {text.passkey}
          </Button>
          {failure?.of === "passkey" && (
            <p role="alert" className="text-xs text-bad">
              {failure.text}
            </p>
          )}
        </div>
      )}
      {methods.oidc.length > 0 && (
        <div className="flex flex-col gap-2">
          {methods.oidc.map((provider) => (
            <Provider key={provider.id} provider={provider} returnTo={location.pathname + location.search} onNewTab={() => setIsElsewhere(true)} />
          ))}
          <p className="text-xs text-faint">{text.providerHint}</p>
          {isElsewhere && (
            <Button kind="primary" onClick={onDone}>
              {text.signedIn}
            </Button>
          )}
        </div>
      )}
      {!methods.password && !passkeys && methods.oidc.length === 0 && <Button onClick={leaveToLogin}>{text.elsewhere}</Button>}
    </div>
  );
}
