import { useMutation, useQueryClient, type UseMutationResult } from "@tanstack/react-query";
import { useRef } from "react";
import { announce } from "@/ui/announce";
import { toast } from "@/ui/toast";
import { strings } from "@/strings";
import { asProblem, type Problem } from "./problem";
import { useProject } from "./project";
import type { ApiClient } from "./client";

/** An answer 202: the change waits for approvals. */
export interface PendingApproval {
  approval: { id: number; summary: string };
}

/** Whether the change waits for approvals, and is not made. */
export function isPending(answer: unknown): answer is PendingApproval {
  return typeof answer === "object" && answer !== null && "approval" in answer;
}

/**
 * A change of the project. `run` gets the client and a key for the header Idempotency-Key, the same one until
 * the change succeeds, so that repeating it after an outage does not do it twice. `done` is the toast of its
 * success; a pending approval says so, with a link. Failures are the caller's to show (`error`), except with
 * `toastErrors`. All queries are asked again afterwards.
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
      // A refusal leaves nothing behind; what may have been carried out keeps its key.
      if (!problem.isOutage) key.current = null;
      const { notCarriedOut, unknownOutcome } = strings.change;
      const text = problem.isUnanswered ? unknownOutcome(problem.message) : problem.isOutage ? notCarriedOut(problem.message) : problem.message;
      if (options.toastErrors) toast({ title: text, tone: "bad", text: problem.requestId ?? undefined });
      else announce(text);
    },
  });
}
