import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { ApiClient } from "@/api/client";
import { useProject } from "@/api/project";
import { strings } from "@/strings";
import type { Effect } from "./effect";
import { useSettled } from "./useSettled";

interface Asked<T> {
  /** Identifies the form and its record. */
  of: (string | number)[];
  /** The values that the effect depends on, or null while the form is incomplete or not edited. */
  input: T | null;
  send: (client: ApiClient, input: T, signal: AbortSignal) => Promise<{ data?: unknown }>;
}

export interface EffectOfInput {
  query: UseQueryResult<Effect>;
  isAsked: boolean;
  /** Why the form cannot be sent yet: the effect of its present values is loading. null if the effect is known or could not be loaded. */
  refusal: string | null;
}

/** Requests the effect of a form once its values have not changed for a moment. */
export function useEffectOfInput<T>({ of, input, send }: Asked<T>): EffectOfInput {
  const { client } = useProject();
  const wanted = JSON.stringify(input);
  const settled = useSettled(wanted);
  const isAsked = input !== null;
  const query = useQuery({
    queryKey: ["preview", ...of, settled],
    enabled: isAsked && settled !== "null",
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchInterval: false,
    queryFn: async ({ signal }) => (await send(client, JSON.parse(settled) as T, signal)).data as Effect,
  });
  const isLoading = isAsked && (settled !== wanted || (query.data === undefined && !query.error));
  return { query, isAsked, refusal: isLoading ? strings.dialog.previewing : null };
}
