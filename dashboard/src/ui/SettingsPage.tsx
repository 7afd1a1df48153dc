import { Link } from "@tanstack/react-router";
import { useEffect, useRef, type ReactNode } from "react";
import { useProject } from "@/api/project";
import { strings } from "@/strings";
import { Page } from "./Page";

const items = [
  ["project", strings.settings.project],
  ["keys", strings.settings.keys],
  ["members", strings.settings.members],
  ["publishers", strings.settings.publishers],
  ["signing", strings.settings.signing],
  ["retention", strings.settings.retention],
  ["sign-in", strings.settings.signIn],
  ["sessions", strings.settings.sessions],
] as const;

/** A settings page with the list of all settings pages. */
export function SettingsPage({ title, lead, actions, children }: { title: string; lead?: ReactNode; actions?: ReactNode; children: ReactNode }) {
  const { slug } = useProject();
  const nav = useRef<HTMLElement>(null);
  // On a narrow screen the list scrolls, so scroll the current page into view.
  useEffect(() => {
    const list = nav.current;
    const active = list?.querySelector<HTMLElement>("[data-status=active]");
    if (list && active) list.scrollLeft = active.offsetLeft - list.offsetLeft - (list.clientWidth - active.offsetWidth) / 2;
  }, []);
  return (
    <Page title={title} lead={lead} actions={actions}>
      <div className="grid gap-4 lg:grid-cols-[11rem_minmax(0,1fr)]">
        <nav ref={nav} aria-label={strings.settings.nav} className="flex gap-1 overflow-x-auto lg:flex-col">
          {items.map(([path, label]) => (
            <Link
              key={path}
              to={`/$project/settings/${path}`}
              params={{ project: slug }}
              className="flex h-9 shrink-0 items-center rounded-md px-2.5 text-muted hover:bg-hover hover:text-ink data-[status=active]:bg-selected data-[status=active]:font-medium data-[status=active]:text-ink lg:h-8"
            >
              {label}
            </Link>
          ))}
        </nav>
        <div className="flex min-w-0 flex-col gap-4">{children}</div>
      </div>
    </Page>
  );
}
