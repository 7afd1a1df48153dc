import { strings } from "@/strings";
import { DangerDialog } from "@/ui/DangerDialog";

const text = strings.stop;

/** Asks before the project is stopped or resumed. It keeps asking the same question, even if someone else is first. */
export function StopDialog({ asked, onClose }: { asked: "stop" | "resume"; onClose: () => void }) {
  if (asked === "resume") {
    return (
      <DangerDialog
        onClose={onClose}
        title={text.resume}
        text={text.resumeText}
        preview={(client, signal) => client.POST("/v1/ota/emergency-stop/resume/preview", { signal })}
        done={text.done.resumed}
        run={(client) => client.DELETE("/v1/ota/emergency-stop")}
      />
    );
  }
  return (
    <DangerDialog
      onClose={onClose}
      title={text.stop}
      text={text.stopText}
      reason="needed"
      // The effect does not depend on the reason, which is entered below the preview.
      preview={(client, signal) => client.POST("/v1/ota/emergency-stop/preview", { body: { reason: text.title }, signal })}
      done={text.done.stopped}
      run={(client, reason, key) => client.POST("/v1/ota/emergency-stop", { params: { header: { "Idempotency-Key": key } }, body: { reason } })}
    />
  );
}
