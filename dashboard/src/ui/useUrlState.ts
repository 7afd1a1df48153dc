import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";

type Values<T> = { [Name in keyof T]: T[Name] extends string ? string : T[Name] };

/**
 * Keeps filters, tabs, ranges and selections in the address: `const [view, setView] = useUrlState({ channel: "", tab: "runs" })`.
 * Default values are left out of the address. A change replaces the history entry, or with `push` adds one, so that Back undoes
 * the change. Parameters of other components stay.
 */
export function useUrlState<T extends Record<string, string>>(
  defaults: T,
): [Values<T>, (change: Partial<Values<T>>, options?: { push?: boolean }) => void] {
  const search = useSearch({ strict: false }) as Record<string, string | undefined>;
  const navigate = useNavigate();
  const key = JSON.stringify(defaults);
  const values = useMemo(() => {
    const known = JSON.parse(key) as T;
    return Object.fromEntries(Object.entries(known).map(([name, value]) => [name, search[name] ?? value])) as Values<T>;
  }, [key, search]);
  const set = useCallback(
    (change: Partial<Values<T>>, options?: { push?: boolean }) => {
      const known = JSON.parse(key) as Record<string, string>;
      void navigate({
        to: ".",
        replace: !options?.push,
        search: ((previous: Record<string, string>) => {
          const next: Record<string, string> = { ...previous, ...(change as Record<string, string>) };
          for (const name of Object.keys(known)) if (next[name] === known[name]) delete next[name];
          return next;
        }) as never,
      });
    },
    [key, navigate],
  );
  return [values, set];
}
