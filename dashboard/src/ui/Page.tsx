import { useEffect, type ReactNode } from "react";
import { strings } from "@/strings";
import { Coded } from "./Coded";

interface Props {
  /** The page's only h1, and the browser tab's title. */
  title: string;
  /** A short line under the title. */
  lead?: ReactNode;
  /** Badges next to the title. */
  beside?: ReactNode;
  /** The page's buttons. */
  actions?: ReactNode;
  children: ReactNode;
}

export function Page({ title, lead, beside, actions, children }: Props) {
  useEffect(() => {
    document.title = `${title} · ${strings.product}`;
  }, [title]);
  return (
    <div className="mx-auto flex w-full max-w-7xl flex-col gap-4 px-3 pt-4 pb-24 sm:px-6 md:pb-10">
      <header className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-full sm:basis-0">
          <div className="flex flex-wrap items-center gap-2">
            <h1 className="min-w-0 text-xl font-semibold tracking-tight break-words">{title}</h1>
            {beside}
          </div>
          {lead && <div className="mt-0.5 max-w-3xl text-muted">{typeof lead === "string" ? <Coded text={lead} /> : lead}</div>}
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  );
}
