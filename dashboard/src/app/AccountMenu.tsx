import { useNavigate } from "@tanstack/react-router";
import { CircleUser } from "lucide-react";
import { setPreferences, usePreferences } from "@/format/preferences";
import { strings } from "@/strings";
import { Menu } from "@/ui/Menu";
import { useMe } from "./session";
import { signOut } from "./signOut";

/** The menu for theme, time zone, shortcuts, and signing out. */
export function AccountMenu({ slim }: { slim?: boolean }) {
  const me = useMe();
  const navigate = useNavigate();
  const { theme, zone, shortcuts } = usePreferences();
  const name = me.data?.user?.name ?? "";
  const slug = location.pathname.split("/")[2] ?? "";
  const nextTheme = theme === "system" ? "dark" : theme === "dark" ? "light" : "system";
  const inProject = me.data?.projects.some((project) => project.slug === slug);
  return (
    <Menu
      trigger={
        <button
          type="button"
          className="flex h-8 w-full min-w-0 items-center gap-2 rounded-md px-2 text-muted hover:bg-hover hover:text-ink"
        >
          <CircleUser size={16} aria-hidden className="shrink-0" />
          <span className="sr-only">{strings.nav.account}: </span>
          <span className={slim ? "sr-only" : "truncate"}>{name}</span>
        </button>
      }
      items={[
        { label: `${strings.account.theme}: ${strings.account.themes[theme]}`, onSelect: () => setPreferences({ theme: nextTheme }) },
        {
          label: `${strings.account.times}: ${strings.account.zones[zone]}`,
          onSelect: () => setPreferences({ zone: zone === "utc" ? "local" : "utc" }),
        },
        {
          label: `${strings.account.shortcuts}: ${strings.state[shortcuts]}`,
          onSelect: () => setPreferences({ shortcuts: shortcuts === "on" ? "off" : "on" }),
        },
        ...(inProject
          ? [
              { label: strings.account.signIn, onSelect: () => void navigate({ to: "/$project/settings/sign-in", params: { project: slug } }) },
              { label: strings.account.sessions, onSelect: () => void navigate({ to: "/$project/settings/sessions", params: { project: slug } }) },
              { label: strings.account.help, onSelect: () => void dispatchEvent(new Event("waft-help")) },
            ]
          : []),
        { label: strings.account.logout, onSelect: signOut },
      ]}
    />
  );
}
