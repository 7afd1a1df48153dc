import { OctagonX } from "lucide-react";
import { useEffect } from "react";
import { useRefusal } from "@/api/access";
import { useAttention } from "@/api/attention";
import { actorTitle } from "@/format/actions";
import { dateTime } from "@/format/format";
import { usePreferences } from "@/format/preferences";
import { strings } from "@/strings";
import { announce } from "@/ui/announce";
import { Button } from "@/ui/Button";

const text = strings.stop;

/** Shows on every page that the project is stopped, with the name of the person, the time and the reason. */
export function StopBanner({ onResume }: { onResume: () => void }) {
  usePreferences();
  const refusal = useRefusal("editor");
  const stop = useAttention().data?.emergencyStop;
  const by = stop?.active ? text.by(actorTitle(stop.stoppedBy), dateTime(stop.stoppedAt, false)) : "";
  useEffect(() => {
    if (by) announce(by);
  }, [by]);
  if (!stop?.active) return null;
  return (
    <section aria-label={text.title} className="sticky top-0 z-20 flex flex-wrap items-center gap-x-4 gap-y-2 border-b bg-bad-soft px-3 py-2 sm:px-6">
      <OctagonX size={16} aria-hidden className="shrink-0 text-bad" />
      <div className="min-w-0 flex-1 basis-48 break-words">
        <p>
          <span className="font-medium text-bad">{by}</span> {text.why(stop.reason)}
        </p>
        <p className="text-xs text-muted">{text.effect}</p>
      </div>
      <Button size="sm" refusal={refusal} command={text.resumeCommand} onClick={onResume}>
        {text.resume}
      </Button>
    </section>
  );
}
