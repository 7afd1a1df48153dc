import type { ReactNode } from "react";

/** Keeps the buttons of a long form visible above the navigation on a narrow screen. On a wide screen they are next to the title. */
export function SaveBar({ children }: { children: ReactNode }) {
  return (
    <div className="sticky bottom-[calc(3.5rem+env(safe-area-inset-bottom))] z-10 -mx-3 flex flex-wrap justify-end gap-2 border-t bg-panel px-3 py-2 sm:-mx-6 sm:px-6 md:hidden">
      {children}
    </div>
  );
}
