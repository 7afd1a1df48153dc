import { useMutation, useQueryClient, type UseMutationResult } from "@tanstack/react-query";
import { useRef } from "react";
import { announce } from "@/ui/announce";
import { toast } from "@/ui/toast";
import { strings } from "@/strings";
import { asProblem, type Problem } from "./problem";
import { useProject } from "./project";
import type { ApiClient } from "./client";

/** The body of a 202 response: the change waits for approvals. */
export interface PendingApproval {
  approval: { id: number; summary: string };
}

/** Reports whether the change waits for approvals and has not been applied. */
export function isPending(answer: unknown): answer is PendingApproval {
  return typeof answer === "object" && answer !== null && "approval" in answer;
}

/**
 * Returns a mutation that changes the project. `run` gets the client and an idempotency key. The key stays the same until
 * the change succeeds, so repeating it after an outage does not apply it twice. On success it shows `done` as a toast, or a
 * link to the approval if the change waits for one, and refetches all queries. The caller shows failures (`error`), unless
 * `toastErrors` is set.
 */
export function useChange<Input = void, Output = unknown>(options: {
  run: (client: ApiClient, input: Input, idempotencyKey: string) => Promise<{ data?: Output }>;
  done?: string | ((output: Output, input: Input) => string);
  onDone?: (output: Output, input: Input) => void;
  toastErrors?: boolean;
}): UseMutationResult<Output, Problem, Input> {
  const { client, slug } = useProject();
  const queries = useQueryClient();
  const key = useRef<string | null>(null);
  return useMutation<Output, Problem, Input>({
    mutationFn: async (input) => {
      key.current ??= crypto.randomUUID();
      const { data } = await options.run(client, input, key.current);
      return data as Output;
    },
    onSuccess: (output, input) => {
      key.current = null;
      void queries.invalidateQueries();
      if (isPending(output)) {
        toast({
          title: strings.change.waits,
          text: output.approval.summary,
          href: `/app/${slug}/approvals/${output.approval.id}`,
          link: strings.change.openApproval,
        });
      } else if (options.done) {
        const text = typeof options.done === "string" ? options.done : options.done(output, input);
        toast({ title: text });
      }
      options.onDone?.(output, input);
    },
    onError: (error) => {
      const problem = asProblem(error);
      // A refused change gets a new key next time. A change that may have been applied keeps its key.
      if (!problem.isOutage) key.current = null;
      const { notCarriedOut, unknownOutcome } = strings.change;
      const text = problem.isUnanswered ? unknownOutcome(problem.message) : problem.isOutage ? notCarriedOut(problem.message) : problem.message;
      if (options.toastErrors) toast({ title: text, tone: "bad", text: problem.requestId ?? undefined });
      else announce(text);
    },
  });
}
