import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { setReauthentication, type Why } from "@/api/reauthentication";

// This code is loaded when the API first requires it.
const FreshLogin = lazy(() => import("./FreshLogin"));

/** Asks the person to sign in again, over the page, when the API requires it. The request that required it then continues. */
export function Reauthentication() {
  const [why, setWhy] = useState<Why | null>(null);
  const answer = useRef<(ok: boolean) => void>(() => {});
  useEffect(() => {
    setReauthentication(
      (why) =>
        new Promise<boolean>((resolve) => {
          answer.current = resolve;
          setWhy(why);
        }),
    );
    return () => setReauthentication(null);
  }, []);
  if (!why) return null;
  return (
    <Suspense>
      <FreshLogin
        why={why}
        onClose={(ok) => {
          setWhy(null);
          answer.current(ok);
        }}
      />
    </Suspense>
  );
}
