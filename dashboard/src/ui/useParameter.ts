import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";

/**
 * Keeps a value in the address, for a component that several pages use, such as a table. The routes of these pages declare the
 * parameter. A change replaces the history entry.
 */
export function useParameter(name: string): [string, (value: string) => void] {
  const search = useSearch({ strict: false }) as Record<string, string | undefined>;
  const navigate = useNavigate();
  const change = useCallback(
    (value: string) => void navigate({ to: ".", replace: true, search: ((previous: object) => ({ ...previous, [name]: value })) as never }),
    [name, navigate],
  );
  return [search[name] ?? "", change];
}
