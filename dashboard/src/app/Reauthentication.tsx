import { useEffect, useRef, useState } from "react";
import { leaveToLogin } from "@/api/client";
import { asProblem } from "@/api/problem";
import { setReauthentication } from "@/api/reauthentication";
import { strings } from "@/strings";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Field } from "@/ui/Field";
import { peopleClient, useMe } from "./session";

/** Asks for the password when the API wants a fresh login; the request that asked goes on afterwards. */
export function Reauthentication() {
  const [open, setOpen] = useState(false);
  const [password, setPassword] = useState("");
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const answer = useRef<(ok: boolean) => void>(() => {});
  const me = useMe();
  useEffect(() => {
    setReauthentication(
      () =>
        new Promise<boolean>((resolve) => {
          answer.current = resolve;
          setPassword("");
          setError(null);
          setOpen(true);
        }),
    );
    return () => setReauthentication(null);
  }, []);
  const close = (ok: boolean) => {
    setOpen(false);
    answer.current(ok);
  };
  const submit = async () => {
    setBusy(true);
    try {
      await peopleClient.POST("/v1/auth/login", { body: { email: me.data?.user?.email ?? "", password } });
      close(true);
    } catch (error) {
      setError(asProblem(error).message);
    } finally {
      setBusy(false);
    }
  };
  const { reauthentication } = strings;
  return (
    <Dialog open={open} onClose={() => close(false)} title={reauthentication.title} text={reauthentication.text}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <input type="email" hidden readOnly autoComplete="username" value={me.data?.user?.email ?? ""} />
        <Field label={reauthentication.password} error={error}>
          <input type="password" className="field" autoComplete="current-password" value={password} onChange={(event) => setPassword(event.target.value)} />
        </Field>
        <div className="flex flex-wrap justify-end gap-2">
          <Button kind="quiet" onClick={leaveToLogin}>
            {reauthentication.elsewhere}
          </Button>
          <Button kind="primary" type="submit" busy={busy}>
            {reauthentication.submit}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
