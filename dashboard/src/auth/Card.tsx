import { useEffect, type ReactNode } from "react";
import { strings as shared } from "@/ui/strings";

/** The layout of sign-in pages: one card in the middle. */
export function Card({ title, lead, children }: { title: string; lead: ReactNode; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · ${shared.product}`;
  }, [title]);
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-sm flex-col justify-center gap-5 px-4 py-10">
      <div aria-hidden className="flex items-center gap-2 font-semibold">
        <svg viewBox="0 0 32 32" className="size-6" fill="none" stroke="currentColor" strokeWidth="3" strokeLinecap="round">
          <path d="M6 11c4-4 7-4 10 0s6 4 10 0M6 20c4-4 7-4 10 0s6 4 10 0" />
        </svg>
        {shared.product}
      </div>
      <header>
        <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
        <p className="mt-1 wrap-anywhere text-muted">{lead}</p>
      </header>
      {children}
    </main>
  );
}
