import { X } from "lucide-react";
import { useSyncExternalStore } from "react";
import { strings } from "@/strings";
import { cx } from "./cx";
import { closeToast, currentToasts, watchToasts } from "./toast";

/** Shows the messages of `toast`. */
export function Toasts() {
  const toasts = useSyncExternalStore(watchToasts, currentToasts);
  return (
    <div role="status" aria-live="polite" className="pointer-events-none fixed inset-x-3 bottom-16 z-60 flex flex-col items-end gap-2 md:bottom-4">
      {toasts.map((each) => (
        <div
          key={each.id}
          className={cx(
            "pointer-events-auto flex w-full max-w-sm items-start gap-3 rounded-lg bg-raised p-3 shadow-pop",
            each.tone === "bad" && "border-l-3 border-bad",
          )}
        >
          <div className="min-w-0 flex-1 break-words">
            <p className="font-medium">{each.title}</p>
            {each.text && <p className="text-muted">{each.text}</p>}
            {each.href && (
              <a href={each.href} className="text-link underline underline-offset-2">
                {each.link}
              </a>
            )}
          </div>
          <button
            type="button"
            aria-label={strings.dialog.close}
            onClick={() => closeToast(each.id)}
            className="-m-1 grid size-7 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink"
          >
            <X size={14} aria-hidden />
          </button>
        </div>
      ))}
    </div>
  );
}
