import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { setReauthentication } from "@/api/reauthentication";

// This code is loaded when the API first requires a recent sign-in.
const FreshLogin = lazy(() => import("./FreshLogin"));

/** Asks the person to sign in again when the API requires a recent sign-in. The request that required it then continues. */
export function Reauthentication() {
  const [open, setOpen] = useState(false);
  const answer = useRef<(ok: boolean) => void>(() => {});
  useEffect(() => {
    setReauthentication(
      () =>
        new Promise<boolean>((resolve) => {
          answer.current = resolve;
          setOpen(true);
        }),
    );
    return () => setReauthentication(null);
  }, []);
  if (!open) return null;
  return (
    <Suspense>
      <FreshLogin
        onClose={(ok) => {
          setOpen(false);
          answer.current(ok);
        }}
      />
    </Suspense>
  );
}
