import { bytes, count } from "@/format/format";
import { Track } from "@/ui/Track";
import { strings } from "./strings";
import type { Progress } from "./upload";

const { progress: text } = strings;

/** Shows how far an upload is, in words and as a bar. */
export function UploadProgress({ progress }: { progress: Progress }) {
  const share = progress.stage === "storing" ? 100 : progress.all === 0 ? 100 : (100 * progress.done) / progress.all;
  return (
    <div className="flex flex-col gap-1">
      <p role="status" className="text-muted tabular-nums">
        {progress.stage === "storing"
          ? text.storing
          : progress.stage === "hashing"
            ? text.hashing(count(progress.done), count(progress.all))
            : progress.all === 0
              ? text.nothing
              : text.sending(bytes(progress.done), bytes(progress.all))}
      </p>
      <Track value={share} label={text.label} />
    </div>
  );
}
