import {
  Activity,
  BellRing,
  Boxes,
  Bug,
  CheckCheck,
  Flag,
  GitBranch,
  History,
  LayoutGrid,
  ListChecks,
  Package,
  Scale,
  Settings,
  Smartphone,
  UserCheck,
  Users,
  UsersRound,
  Webhook,
  type LucideIcon,
} from "lucide-react";
import { strings } from "@/strings";

export interface NavItem {
  /** The page's folder below the project's address. */
  path: string;
  label: string;
  icon: LucideIcon;
  /** The second key of the page's shortcut. The first is g. */
  key?: string;
  /** Actions of the page. The palette finds the page by them when no command matches. */
  does?: string;
}

const { nav, palette: { does } } = strings;

/** Groups of the sidebar. The palette and the shortcuts lead to the same pages. */
export const navigation: { label: string; items: NavItem[] }[] = [
  {
    label: nav.groups.watch,
    items: [
      { path: "overview", label: nav.overview, icon: LayoutGrid, key: "o", does: does.overview },
      { path: "rollouts", label: nav.rollouts, icon: Activity, key: "l", does: does.rollouts },
      { path: "incidents", label: nav.incidents, icon: BellRing, key: "i" },
      { path: "observe", label: nav.observe, icon: Bug, key: "e" },
      { path: "devices", label: nav.devices, icon: Smartphone, key: "d" },
    ],
  },
  {
    label: nav.groups.deliver,
    items: [
      { path: "releases", label: nav.releases, icon: Package, key: "r", does: does.releases },
      { path: "builds", label: nav.builds, icon: Boxes, key: "b", does: does.builds },
      { path: "channels", label: nav.channels, icon: GitBranch, key: "c", does: does.channels },
      { path: "policies", label: nav.policies, icon: Scale, key: "p" },
      { path: "approvals", label: nav.approvals, icon: CheckCheck, key: "a" },
      { path: "overrides", label: nav.overrides, icon: UserCheck, key: "u" },
    ],
  },
  {
    label: nav.groups.flags,
    items: [
      { path: "flags", label: nav.flags, icon: Flag, key: "f" },
      { path: "segments", label: nav.segments, icon: Users, key: "s" },
      { path: "contexts", label: nav.contexts, icon: ListChecks, key: "x" },
    ],
  },
  {
    label: nav.groups.project,
    items: [
      { path: "webhooks", label: nav.webhooks, icon: Webhook, key: "w" },
      { path: "audit", label: nav.audit, icon: History, key: "t" },
      { path: "settings/members", label: nav.members, icon: UsersRound, key: "m" },
      { path: "settings/project", label: nav.settings, icon: Settings, key: "," },
    ],
  },
];

export const pages = navigation.flatMap((group) => group.items);
