import { useQuery } from "@tanstack/react-query";
import { useProject } from "@/api/project";
import { asProblem } from "@/api/problem";
import { strings as frame } from "@/strings";
import { PreviewOfEffect } from "@/ui/PreviewOfEffect";
import { useSettled } from "@/ui/useSettled";

/** Shows what the devices of the user would get. Shows nothing until both fields have a value. */
export function EffectOfOverride({ userId, branchName }: { userId: string; branchName: string }) {
  const { client } = useProject();
  const user = useSettled(userId);
  const isComplete = user !== "" && branchName !== "";
  const preview = useQuery({
    queryKey: ["preview", "override", user, branchName],
    enabled: isComplete,
    staleTime: 0,
    gcTime: 0,
    retry: false,
    queryFn: async ({ signal }) => (await client.POST("/v1/ota/user-overrides/preview", { body: { userId: user, branchName }, signal })).data,
  });
  if (!isComplete) return null;
  return (
    <section aria-label={frame.dialog.effect} aria-live="polite" className="min-h-12 rounded-lg border p-3">
      {preview.data ? (
        <PreviewOfEffect effect={preview.data} affected={null} />
      ) : preview.error ? (
        <p className="text-muted">{frame.dialog.previewFailed(asProblem(preview.error).message)}</p>
      ) : (
        <p className="text-muted">{frame.panel.loading}</p>
      )}
    </section>
  );
}
