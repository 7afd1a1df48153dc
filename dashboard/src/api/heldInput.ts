import { useEffect } from "react";

let holders = 0;

/** Reports whether the page holds input that would be lost if it were left: a changed form, or an open dialog. */
export function holdsInput(): boolean {
  return holders > 0;
}

/** Marks the page as holding input, while `when` is true. */
export function useHeldInput(when: boolean) {
  useEffect(() => {
    if (!when) return;
    holders++;
    return () => {
      holders--;
    };
  }, [when]);
}
