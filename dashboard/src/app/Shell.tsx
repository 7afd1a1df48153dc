import { Link, useNavigate } from "@tanstack/react-router";
import { OctagonX, Search } from "lucide-react";
import { lazy, Suspense, useCallback, useEffect, useLayoutEffect, useMemo, useState, type ReactNode } from "react";
import { useRefusal } from "@/api/access";
import { useAttention, type Attention } from "@/api/attention";
import { useProject } from "@/api/project";
import { strings } from "@/strings";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { loadDialog } from "@/ui/Dialog";
import { loadCode } from "@/ui/loadCode";
import { AccountMenu } from "./AccountMenu";
import { LiveNote } from "./LiveNote";
import { navigation, pages } from "./navigation";
import { NavCount } from "./NavCount";
import { commandKeys } from "./platform";
import { ProjectSwitcher } from "./ProjectSwitcher";
import { useShortcuts } from "./shortcuts";
import { StopBanner } from "./StopBanner";
import { StopDialog } from "./StopDialog";
import { useFrameCommands } from "./useFrameCommands";

const loadPalette = () => loadCode(() => import("./Palette"));
const Palette = lazy(loadPalette);
const NewProject = lazy(() => loadCode(() => import("./NewProject")));
const Help = lazy(() => loadCode(() => import("./Help")));

/** The code of dialogs is preloaded after this many milliseconds, so that they open immediately, even without the server. */
const untilDialogs = 2_000;

const item =
  "flex items-center gap-2.5 rounded-md px-2 text-muted hover:bg-hover hover:text-ink data-[status=active]:bg-selected data-[status=active]:font-medium data-[status=active]:text-ink";

/** Returns how many records on a page wait for the person. */
const waiting = (path: string, attention: Attention | undefined) => (path === "approvals" || path === "incidents" ? (attention?.[path] ?? 0) : 0);

/** Shows the page with the navigation: at the side on a wide screen, at the bottom on a narrow one. */
export function Shell({ children }: { children: ReactNode }) {
  const { slug } = useProject();
  const navigate = useNavigate();
  const [open, setOpen] = useState<"palette" | "help" | "project" | null>(null);
  const [asked, setAsked] = useState<"stop" | "resume" | null>(null);
  const refusal = useRefusal("editor");
  const attention = useAttention().data;
  const isStopped = attention?.emergencyStop.active ?? false;
  const showHelp = useCallback(() => setOpen("help"), []);
  const createProject = useCallback(() => setOpen("project"), []);
  useFrameCommands(showHelp, createProject);

  const shortcuts = useMemo(
    () => [
      ...pages
        .filter((page) => page.key)
        .map((page) => ({
          keys: `g ${page.key}`,
          label: strings.help.go(page.label),
          run: () => void navigate({ to: `/${slug}/${page.path}` as "/" }),
        })),
      { keys: "?", label: strings.help.help, run: () => setOpen("help") },
      { keys: "/", label: strings.help.palette, run: () => setOpen("palette") },
    ],
    [navigate, slug],
  );
  useShortcuts(shortcuts);
  useEffect(() => {
    const timer = setTimeout(() => {
      void loadDialog();
      void loadPalette();
    }, untilDialogs);
    return () => clearTimeout(timer);
  }, []);
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        setOpen((now) => (now === "palette" ? null : "palette"));
      }
    };
    const openHelp = () => setOpen("help");
    addEventListener("keydown", onKey);
    addEventListener("waft-help", openHelp);
    return () => {
      removeEventListener("keydown", onKey);
      removeEventListener("waft-help", openHelp);
    };
  }, []);

  const bottom = [...["overview", "rollouts", "incidents", "approvals"].map((path) => pages.find((page) => page.path === path)!)];
  return (
    <div className="flex min-h-dvh flex-col md:flex-row">
      <aside className="sticky top-0 hidden h-dvh w-56 shrink-0 flex-col border-r md:flex">
        <div className="flex flex-col gap-2 p-3">
          <ProjectSwitcher onCreate={createProject} />
          <button
            type="button"
            onClick={() => setOpen("palette")}
            className="flex h-8 items-center gap-2 rounded-md border bg-panel px-2 text-faint hover:text-ink"
          >
            <Search size={14} aria-hidden />
            {strings.nav.search}
            <kbd className="ml-auto font-sans text-2xs">{commandKeys("K")}</kbd>
          </button>
        </div>
        <nav aria-label={strings.nav.main} className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto px-3 pb-3">
          {navigation.map((group) => (
            <div key={group.label} className="flex flex-col gap-px">
              <p className="px-2 pb-1 text-2xs font-medium text-faint">{group.label}</p>
              {group.items.map(({ path, label, icon: Icon }) => (
                <Link key={path} to={`/${slug}/${path}` as "/"} className={cx(item, "h-7.5")}>
                  <Icon size={15} aria-hidden className="shrink-0" />
                  {label}
                  <NavCount waiting={waiting(path, attention)} of={strings.nav.waiting[path]} />
                </Link>
              ))}
            </div>
          ))}
        </nav>
        <div className="flex flex-col gap-1 border-t p-2">
          <div className="flex h-7 items-center justify-between gap-2 pl-2">
            <LiveNote />
            <Button
              kind="quiet"
              size="sm"
              icon={<OctagonX size={13} aria-hidden className="text-bad" />}
              refusal={isStopped ? strings.stop.stopped : refusal}
              command={strings.stop.command}
              onClick={() => setAsked("stop")}
            >
              {strings.stop.title}
            </Button>
          </div>
          <AccountMenu />
        </div>
      </aside>
      <header className="flex h-12 items-center gap-2 border-b px-3 md:hidden">
        <div className="min-w-0 flex-1">
          <ProjectSwitcher onCreate={createProject} />
        </div>
        <LiveNote lostOnly />
        <Button
          kind="quiet"
          aria-label={strings.stop.title}
          icon={<OctagonX size={16} aria-hidden className="text-bad" />}
          refusal={isStopped ? strings.stop.stopped : refusal}
          onClick={() => setAsked("stop")}
        />
        <div className="w-9 shrink-0">
          <AccountMenu slim />
        </div>
      </header>
      <div className="min-w-0 flex-1">
        <StopBanner onResume={() => setAsked("resume")} />
        <main id="content" tabIndex={-1} className="outline-none">
          {children}
        </main>
      </div>
      <nav
        aria-label={strings.nav.main}
        className="fixed inset-x-0 bottom-0 z-20 grid grid-cols-5 border-t bg-panel pb-[env(safe-area-inset-bottom)] md:hidden"
      >
        {bottom.map(({ path, label, icon: Icon }) => (
          <Link
            key={path}
            to={`/${slug}/${path}` as "/"}
            className="relative flex h-14 flex-col items-center justify-center gap-0.5 text-2xs text-muted data-[status=active]:font-medium data-[status=active]:text-ink"
          >
            <Icon size={18} aria-hidden />
            {label}
            <NavCount waiting={waiting(path, attention)} of={strings.nav.waiting[path]} className="absolute top-1 left-1/2 ml-2" />
          </Link>
        ))}
        <button type="button" onClick={() => setOpen("palette")} className="flex h-14 flex-col items-center justify-center gap-0.5 text-2xs text-muted">
          <Search size={18} aria-hidden />
          {strings.nav.search}
        </button>
      </nav>
      {asked && <StopDialog asked={asked} onClose={() => setAsked(null)} />}
      <Suspense>
        {open === "palette" && <Palette onClose={() => setOpen(null)} />}
        {open === "help" && <Help onClose={() => setOpen(null)} />}
        {open === "project" && <NewProject onClose={() => setOpen(null)} />}
      </Suspense>
    </div>
  );
}
