import { useMutation, useQueryClient, type UseMutationResult } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
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

/** The page on which a change was started. */
interface Start {
  path: string;
  title: string;
}

/**
 * Returns a mutation that changes the project. `run` gets the client and an idempotency key. The key stays the same until
 * the change succeeds or is refused, so repeating it after an outage does not apply it twice; `exactKey` replaces it if the request
 * differs. On success it shows `done` as a toast, or a link to the approval if the change waits for one, and refetches all queries.
 * The caller shows failures (`error`), unless `toastErrors` is set. A failure of a caller that is no longer shown is a toast.
 */
export function useChange<Input = void, Output = unknown>(options: {
  run: (client: ApiClient, input: Input, idempotencyKey: string) => Promise<{ data?: Output }>;
  /** Names the change in a message that is shown after the person has left its page. By default, the message names the page. */
  subject?: string;
  done?: string | ((output: Output, input: Input) => string);
  /** Not called if the person has left the page in the meantime. */
  onDone?: (output: Output, input: Input) => void;
  toastErrors?: boolean;
}): UseMutationResult<Output, Problem, Input, Start> {
  const { client, slug } = useProject();
  const queries = useQueryClient();
  const key = useRef<string | null>(null);
  const isShown = useIsShown();
  return useMutation<Output, Problem, Input, Start>({
    mutationFn: async (input) => {
      key.current ??= crypto.randomUUID();
      const { data } = await options.run(client, input, key.current);
      return data as Output;
    },
    onMutate: () => ({ path: location.pathname, title: pageTitle() }),
    onSuccess: (output, input, start) => {
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
      if (start.path === location.pathname) options.onDone?.(output, input);
    },
    onError: (error, _input, start) => {
      const problem = asProblem(error);
      // A refused change gets a new key next time. A change that may have been applied keeps its key.
      if (!problem.isOutage) key.current = null;
      const { notCarriedOut, unknownOutcome, changeOn, failedAfterwards } = strings.change;
      const titleOf = problem.isUnanswered ? unknownOutcome : notCarriedOut;
      if (!isShown.current) {
        const subject = options.subject ?? changeOn(start?.title ?? strings.product);
        toast({ title: titleOf(subject), text: failedAfterwards(problem.message), tone: "bad" });
      } else if (options.toastErrors) {
        toast({ title: problem.isOutage ? titleOf(problem.message) : problem.message, tone: "bad", text: problem.requestId ?? undefined });
      }
    },
  });
}

/** Returns a reference that is true while the component is on the page. */
function useIsShown() {
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return isShown;
}

/** Returns the heading of the shown page. */
function pageTitle(): string {
  return document.title.replace(` · ${strings.product}`, "");
}
