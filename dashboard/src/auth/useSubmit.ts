import { useState } from "react";
import { asProblem, type Problem } from "@/api/problem";
import { leave } from "./leave";

/** Sends a sign-in form, one request at a time. On success, leaves the page or calls `done`. */
export function useSubmit(send: () => Promise<unknown>, done: () => void = leave) {
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event?: { preventDefault: () => void }) => {
    event?.preventDefault();
    if (busy) return;
    setBusy(true);
    setProblem(null);
    try {
      await send();
      done();
    } catch (error) {
      setProblem(asProblem(error));
      setBusy(false);
    }
  };
  return { problem, busy, submit };
}
