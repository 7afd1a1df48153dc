import { useQuery } from "@tanstack/react-query";
import { useProject } from "@/api/project";
import { asProblem } from "@/api/problem";
import { strings as frame } from "@/strings";
import { PreviewOfEffect } from "@/ui/PreviewOfEffect";
import { useSettled } from "@/ui/useSettled";
import { bodyOf, isComplete, type Draft } from "./draft";

/** Shows the devices that enter or leave the segment when the draft is saved, and the flags that use the segment. */
export function EffectOfSegment({ id, draft }: { id: number; draft: Draft }) {
  const { client } = useProject();
  const body = useSettled(JSON.stringify(isComplete(draft) ? bodyOf(draft, false) : null));
  const preview = useQuery({
    queryKey: ["preview", "segment", id, body],
    enabled: body !== "null",
    staleTime: 0,
    gcTime: 0,
    retry: false,
    queryFn: async ({ signal }) =>
      (await client.POST("/v1/ota/segments/{id}/preview", { params: { path: { id } }, body: JSON.parse(body) as ReturnType<typeof bodyOf>, signal })).data,
  });
  return (
    <section aria-label={frame.dialog.effect} className="min-h-12 rounded-lg border p-3">
      {preview.data ? (
        <PreviewOfEffect effect={preview.data} />
      ) : preview.error ? (
        <p className="text-muted">{frame.dialog.previewFailed(asProblem(preview.error).message)}</p>
      ) : (
        <p className="text-muted">{frame.panel.loading}</p>
      )}
    </section>
  );
}
