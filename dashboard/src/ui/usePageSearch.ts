import { useNavigate, useSearch, type RegisteredRouter, type RouteIds } from "@tanstack/react-router";
import { useCallback } from "react";

type Page = RouteIds<RegisteredRouter["routeTree"]>;

/**
 * Returns the parameters in the address of a page, which the page's route declares, and a function that changes some of them:
 * `const [view, setView] = usePageSearch("/$project/flags")`. A change replaces the history entry and keeps the other parameters.
 */
export function usePageSearch<const From extends Page>(from: From) {
  const search = useSearch({ from });
  const navigate = useNavigate();
  const change = useCallback(
    (changed: Partial<typeof search>) => void navigate({ to: ".", replace: true, search: ((previous: object) => ({ ...previous, ...changed })) as never }),
    [navigate],
  );
  return [search, change] as const;
}
