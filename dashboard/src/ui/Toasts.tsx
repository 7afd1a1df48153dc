import { Toast } from "@base-ui/react/toast";
import { X } from "lucide-react";
import { useEffect } from "react";
import { strings } from "@/strings";
import { cx } from "./cx";
import { showsToasts, type Message } from "./toast";

const toasts = Toast.createToastManager<Message>();

/** How many messages are shown at the same time. Older ones are shown again when newer ones are closed. */
const limit = 4;

/** Shows the messages of `toast`. F6 moves focus to them. Loaded after the page. */
export default function Toasts() {
  // This effect runs after the provider has begun to listen to the manager.
  useEffect(() => showsToasts(toasts), []);
  return (
    <Toast.Provider toastManager={toasts} limit={limit}>
      <Toast.Viewport aria-label={strings.toasts.label} className="pointer-events-none fixed inset-x-3 bottom-16 z-60 flex flex-col-reverse items-end gap-2 md:bottom-4">
        <List />
      </Toast.Viewport>
    </Toast.Provider>
  );
}

function List() {
  return Toast.useToastManager<Message>().toasts.map((each) => (
    <Toast.Root
      key={each.id}
      toast={each}
      // A message does not ask for anything, so it is not a dialog, and a swipe must not prevent selecting its text.
      role="group"
      aria-modal={undefined}
      swipeDirection={[]}
      className={cx(
        "pointer-events-auto flex w-full max-w-sm items-start gap-3 rounded-lg bg-raised p-3 shadow-pop data-limited:hidden",
        each.data?.tone === "bad" && "border-l-3 border-bad",
      )}
    >
      <div className="min-w-0 flex-1 break-words">
        <Toast.Title className="font-medium" render={<p />} />
        <Toast.Description className="text-muted" />
        {each.data?.href && (
          <a href={each.data.href} className="text-link underline underline-offset-2">
            {each.data.link}
          </a>
        )}
      </div>
      <Toast.Close
        aria-label={strings.dialog.close}
        aria-hidden={false}
        className="-m-1 grid size-7 place-items-center rounded-md text-muted hover:bg-hover hover:text-ink"
      >
        <X size={14} aria-hidden />
      </Toast.Close>
    </Toast.Root>
  ));
}
