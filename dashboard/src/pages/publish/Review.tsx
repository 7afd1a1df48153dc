import { useQueries } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { isPending, useChange } from "@/api/change";
import type { Schemas } from "@/api/client";
import { asProblem } from "@/api/problem";
import { useProject } from "@/api/project";
import { strings as frame } from "@/strings";
import { Button } from "@/ui/Button";
import type { Effect } from "@/ui/effect";
import { Field } from "@/ui/Field";
import { NotDone } from "@/ui/NotDone";
import { Placeholder } from "@/ui/Panel";
import { PreviewOfEffect } from "@/ui/PreviewOfEffect";
import { strings } from "./strings";

const { review: text } = strings;

interface Props {
  builds: Schemas["Build"][];
  channel: string;
  /** The ID of the rollout policy, or "" for none. */
  policy: string;
  message: string;
  linkedFlags: Schemas["FlagLink"][];
  refusal: string | null;
}

/** Shows the effect of publishing each build, and publishes them as one group. */
export function Review({ builds, channel, policy, message, linkedFlags, refusal }: Props) {
  const { client, slug: project } = useProject();
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  // Builds that an earlier try published are not published again.
  const published = useRef(new Map<number, unknown>());
  const [groupId] = useState(() => crypto.randomUUID());
  const body = { channel, ...(policy && { rolloutPolicyId: Number(policy) }), ...(linkedFlags.length > 0 && { linkedFlags }) };
  const previews = useQueries({
    queries: builds.map((build) => ({
      queryKey: ["preview", "publish", build.id, body],
      enabled: channel !== "",
      staleTime: 0,
      gcTime: 0,
      retry: false,
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        (await client.POST("/v1/ota/builds/{id}/publish/preview", { params: { path: { id: build.id } }, body, signal })).data as Effect,
    })),
  });
  const publish = useChange<void, unknown>({
    run: async (client, _input, key) => {
      for (const build of builds) {
        if (published.current.has(build.id)) continue;
        const { data } = await client.POST("/v1/ota/builds/{id}/publish", {
          params: { path: { id: build.id }, header: { "Idempotency-Key": key } },
          body: { ...body, groupId, ...(message && { releaseMessage: message }) },
        });
        published.current.set(build.id, data);
      }
      const all = [...published.current.values()];
      return { data: all.find(isPending) ?? all };
    },
    subject: strings.title,
    done: text.done,
    onDone: (output) => {
      const open = (path: string) => void navigate({ to: `/${project}/${path}` as "/", ignoreBlocker: true });
      if (isPending(output)) return open("approvals");
      const [first, ...others] = output as Schemas["Update"][];
      if (policy && others.length > 0) open("rollouts");
      else if (first?.rolloutExecutionId) open(`rollouts/${first.rolloutExecutionId}`);
      else if (first) open(`releases/${first.id}`);
    },
  });
  const mustType = policy === "" && channel !== "";
  const isPreviewing = channel !== "" && previews.some((each) => each.data === undefined && !each.error);
  const unready =
    refusal ?? (channel ? null : strings.form.noChannel) ?? (isPreviewing ? text.previewing : mustType && typed !== channel ? text.typeFirst(channel) : null);
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        publish.mutate();
      }}
    >
      {channel !== "" && (
        <div className="grid gap-3 md:grid-cols-2">
          {builds.map((build, index) => {
            const preview = previews[index];
            return (
              <section key={build.id} aria-label={text.of(frame.platforms[build.platform])} className="min-w-0 rounded-lg border p-3">
                <h3 className="mb-1 font-medium">{frame.platforms[build.platform]}</h3>
                {preview?.data ? (
                  <PreviewOfEffect effect={preview.data} />
                ) : preview?.error ? (
                  <div role="alert">
                    <p className="text-muted">{text.failed(asProblem(preview.error).message)}</p>
                    <p>{text.unknown}</p>
                  </div>
                ) : (
                  <Placeholder />
                )}
              </section>
            );
          })}
        </div>
      )}
      {mustType && (
        <Field label={text.type(channel)}>
          <input className="field font-mono" value={typed} autoComplete="off" spellCheck={false} onChange={(event) => setTyped(event.target.value)} />
        </Field>
      )}
      {publish.error && <NotDone problem={publish.error} />}
      <div className="flex justify-end">
        <Button kind="danger" type="submit" busy={publish.isPending} refusal={unready}>
          {text.publish}
        </Button>
      </div>
    </form>
  );
}
