import { asProblem } from "@/api/problem";
import { strings } from "@/strings";
import { PreviewOfEffect } from "./PreviewOfEffect";
import type { EffectOfInput as Preview } from "./useEffectOfInput";

const text = strings.dialog;

interface Props {
  preview: Preview;
  /** Describes the number of devices, as in PreviewOfEffect. */
  affected?: ((count: number | null) => string) | null;
}

/** Shows the effect of a form's values in its dialog. Shows nothing until the form is complete. */
export function EffectOfInput({ preview: { query, isAsked }, affected }: Props) {
  if (!isAsked) return null;
  return (
    <section aria-label={text.effect} aria-live="polite" className="min-h-12 rounded-lg border p-3">
      {query.data ? (
        <PreviewOfEffect effect={query.data} affected={affected} />
      ) : query.error ? (
        <>
          <p className="text-muted">{text.previewFailed(asProblem(query.error).message)}</p>
          <p>{text.withoutPreview}</p>
        </>
      ) : (
        <p className="text-muted">{strings.panel.loading}</p>
      )}
    </section>
  );
}
