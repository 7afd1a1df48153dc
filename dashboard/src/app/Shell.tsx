import { Link, useNavigate } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { lazy, Suspense, useEffect, useLayoutEffect, useMemo, useState, type ReactNode } from "react";
import { useProject } from "@/api/project";
import { strings } from "@/strings";
import { cx } from "@/ui/cx";
import { loadDialog } from "@/ui/Dialog";
import { loadCode } from "@/ui/loadCode";
import { AccountMenu } from "./AccountMenu";
import { navigation, pages } from "./navigation";
import { ProjectSwitcher } from "./ProjectSwitcher";
import { useShortcuts } from "./shortcuts";

const loadPalette = () => loadCode(() => import("./Palette"));
const Palette = lazy(loadPalette);
const Help = lazy(() => loadCode(() => import("./Help")));

/** The code of dialogs is preloaded after this many milliseconds, so that they open immediately, even without the server. */
const untilDialogs = 2_000;

const item =
  "flex items-center gap-2.5 rounded-md px-2 text-muted hover:bg-hover hover:text-ink data-[status=active]:bg-selected data-[status=active]:font-medium data-[status=active]:text-ink";

/** Shows the page with the navigation: at the side on a wide screen, at the bottom on a narrow one. */
export function Shell({ children }: { children: ReactNode }) {
  const { slug } = useProject();
  const navigate = useNavigate();
  const [open, setOpen] = useState<"palette" | "help" | null>(null);

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

  const bottom = [...["overview", "rollouts", "incidents"].map((path) => pages.find((page) => page.path === path)!)];
  return (
    <div className="flex min-h-dvh flex-col md:flex-row">
      <aside className="sticky top-0 hidden h-dvh w-56 shrink-0 flex-col border-r md:flex">
        <div className="flex flex-col gap-2 p-3">
          <ProjectSwitcher />
          <button
            type="button"
            onClick={() => setOpen("palette")}
            className="flex h-8 items-center gap-2 rounded-md border bg-panel px-2 text-faint hover:text-ink"
          >
            <Search size={14} aria-hidden />
            {strings.nav.search}
            <kbd className="ml-auto font-sans text-2xs">⌘K</kbd>
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
                </Link>
              ))}
            </div>
          ))}
        </nav>
        <div className="border-t p-2">
          <AccountMenu />
        </div>
      </aside>
      <header className="flex h-12 items-center gap-2 border-b px-3 md:hidden">
        <div className="min-w-0 flex-1">
          <ProjectSwitcher />
        </div>
        <div className="w-9 shrink-0">
          <AccountMenu slim />
        </div>
      </header>
      <main id="content" tabIndex={-1} className="min-w-0 flex-1 outline-none">
        {children}
      </main>
      <nav
        aria-label={strings.nav.main}
        className="fixed inset-x-0 bottom-0 z-20 grid grid-cols-4 border-t bg-panel pb-[env(safe-area-inset-bottom)] md:hidden"
      >
        {bottom.map(({ path, label, icon: Icon }) => (
          <Link
            key={path}
            to={`/${slug}/${path}` as "/"}
            className="flex h-14 flex-col items-center justify-center gap-0.5 text-2xs text-muted data-[status=active]:font-medium data-[status=active]:text-ink"
          >
            <Icon size={18} aria-hidden />
            {label}
          </Link>
        ))}
        <button type="button" onClick={() => setOpen("palette")} className="flex h-14 flex-col items-center justify-center gap-0.5 text-2xs text-muted">
          <Search size={18} aria-hidden />
          {strings.nav.search}
        </button>
      </nav>
      <Suspense>
        {open === "palette" && <Palette onClose={() => setOpen(null)} />}
        {open === "help" && <Help onClose={() => setOpen(null)} />}
      </Suspense>
    </div>
  );
}
