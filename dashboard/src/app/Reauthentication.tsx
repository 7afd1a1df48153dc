import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { setReauthentication } from "@/api/reauthentication";

// Loaded when the API first asks for a fresh login.
const FreshLogin = lazy(() => import("./FreshLogin"));

/** Asks the person to log in again when the API wants a fresh login; the request that asked goes on afterwards. */
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
