import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { useRefusal } from "@/api/access";
import { useProject } from "@/api/project";
import { setPreferences, usePreferences } from "@/format/preferences";
import { strings } from "@/strings";
import { useMe } from "./session";
import { runWhenShown, usePaletteCommands, type PaletteCommand } from "./shortcuts";
import { signOut } from "./signOut";

/** Adds the commands to the palette that work on every page of a project. */
export function useFrameCommands(onHelp: () => void, onNewProject: () => void) {
  const { slug } = useProject();
  const me = useMe();
  const navigate = useNavigate();
  const { theme, zone, shortcuts } = usePreferences();
  const editor = useRefusal("editor");
  const admin = useRefusal("admin");
  const projects = me.data?.projects;
  const isOwner = me.data?.user?.isOwner ?? false;
  const commands = useMemo<PaletteCommand[]>(() => {
    const command = (label: string, run: () => void) => ({ id: `frame ${label}`, label, run });
    // The page's button has the same label as the command, and opens its dialog.
    const onPage = (label: string, path: string) =>
      command(label, () => {
        runWhenShown(label);
        void navigate({ to: `/${slug}/${path}` as "/" });
      });
    const { account, help } = strings;
    return [
      ...(editor ? [] : [command(strings.nav.publish, () => void navigate({ to: "/$project/publish", params: { project: slug } }))]),
      ...(editor ? [] : [onPage(strings.palette.newFlag, "flags")]),
      ...(isOwner ? [command(strings.newProject.title, onNewProject)] : []),
      ...(admin ? [] : [onPage(strings.palette.newKey, "settings/keys"), onPage(strings.palette.invite, "settings/members")]),
      ...(projects ?? [])
        .filter((project) => project.slug !== slug)
        .map((project) => command(strings.palette.switchTo(project.name), () => void navigate({ to: "/$project/overview", params: { project: project.slug } }))),
      ...(["system", "light", "dark"] as const)
        .filter((each) => each !== theme)
        .map((each) => command(`${account.theme}: ${account.themes[each]}`, () => setPreferences({ theme: each }))),
      ...(["local", "utc"] as const)
        .filter((each) => each !== zone)
        .map((each) => command(`${account.times}: ${account.zones[each]}`, () => setPreferences({ zone: each }))),
      shortcuts === "on"
        ? command(help.turnOff, () => setPreferences({ shortcuts: "off" }))
        : command(help.turnOn, () => setPreferences({ shortcuts: "on" })),
      command(account.help, onHelp),
      command(account.logout, signOut),
    ];
  }, [slug, projects, navigate, theme, zone, shortcuts, editor, admin, onHelp, isOwner, onNewProject]);
  usePaletteCommands(commands);
}
