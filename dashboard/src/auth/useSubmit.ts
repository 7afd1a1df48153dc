import { useState } from "react";
import { asProblem, type Problem } from "@/api/problem";
import { leave } from "./leave";

/** Sends a form of sign-in once at a time. When it succeeds, it leaves the page or calls `done`. */
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
