import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Navigate, redirect } from "@tanstack/react-router";
import { Crashed } from "./app/Crashed";
import { NotFound } from "./app/NotFound";
import { ProjectFrame } from "./app/ProjectFrame";
import { Root } from "./app/Root";
import { parameters } from "./search/pages";
import { reading } from "./search/parameters";
import { loadCode } from "./ui/loadCode";

const root = createRootRoute({ component: Root, notFoundComponent: NotFound, errorComponent: Crashed });

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/projects", replace: true });
  },
});

const projects = createRoute({
  getParentRoute: () => root,
  path: "/projects",
  component: lazyRouteComponent(() => loadCode(() => import("./pages/projects"))),
});

const terminal = createRoute({
  getParentRoute: () => root,
  path: "/terminal",
  component: lazyRouteComponent(() => loadCode(() => import("./pages/terminal"))),
});

const project = createRoute({ getParentRoute: () => root, path: "/$project", component: ProjectFrame });

type Load = Parameters<typeof lazyRouteComponent>[0];

/** Creates the route of a project's page. The page's component is the default export of its folder. `read` has its parameters. */
function page<const Path extends string, P extends Parameters<typeof reading>[0] = Record<never, never>>(path: Path, load: Load, read?: P) {
  return createRoute({ getParentRoute: () => project, path, component: lazyRouteComponent(() => loadCode(load)), ...reading<P>(read ?? ({} as P)) });
}

const index = createRoute({
  getParentRoute: () => project,
  path: "/",
  component: function ToOverview() {
    return <Navigate from="/$project" to="/$project/overview" replace />;
  },
});

/** Every address of a project. Webhook messages and the command line link to them, so they must not change. */
const pages = [
  index,
  page("overview", () => import("./pages/overview")),
  page("releases", () => import("./pages/releases"), parameters.releases),
  page("releases/compare", () => import("./pages/compare"), parameters.compare),
  page("releases/$id", () => import("./pages/release"), parameters.release),
  page("builds", () => import("./pages/builds"), parameters.builds),
  page("publish", () => import("./pages/publish")),
  page("rollouts", () => import("./pages/rollouts"), parameters.rollouts),
  page("rollouts/$id", () => import("./pages/rollout")),
  page("channels", () => import("./pages/channels"), parameters.channels),
  page("policies", () => import("./pages/policies"), parameters.policies),
  page("policies/$id", () => import("./pages/policy"), parameters.policy),
  page("flags", () => import("./pages/flags"), parameters.flags),
  page("flags/$id", () => import("./pages/flag"), parameters.flag),
  page("segments", () => import("./pages/segments"), parameters.segments),
  page("contexts", () => import("./pages/contexts"), parameters.contexts),
  page("incidents", () => import("./pages/incidents"), parameters.incidents),
  page("observe", () => import("./pages/observe"), parameters.observe),
  page("observe/$fingerprint", () => import("./pages/error-group"), parameters["error-group"]),
  page("devices", () => import("./pages/devices"), parameters.devices),
  page("devices/$deviceId", () => import("./pages/device"), parameters.device),
  page("webhooks", () => import("./pages/webhooks"), parameters.webhooks),
  page("webhooks/$id", () => import("./pages/webhook"), parameters.webhook),
  page("overrides", () => import("./pages/overrides"), parameters.overrides),
  page("approvals", () => import("./pages/approvals"), parameters.approvals),
  page("approvals/$id", () => import("./pages/approval")),
  page("audit", () => import("./pages/audit"), parameters.audit),
  page("settings/project", () => import("./pages/settings-project")),
  page("settings/keys", () => import("./pages/settings-keys"), parameters["settings-keys"]),
  page("settings/members", () => import("./pages/settings-members"), parameters["settings-members"]),
  page("settings/signing", () => import("./pages/settings-signing")),
  page("settings/retention", () => import("./pages/settings-retention")),
  page("settings/sign-in", () => import("./pages/settings-sign-in")),
  page("settings/publishers", () => import("./pages/settings-publishers"), parameters["settings-publishers"]),
  page("settings/sessions", () => import("./pages/settings-sessions"), parameters["settings-sessions"]),
] as const;

const tree = root.addChildren([home, projects, terminal, project.addChildren(pages)]);

export const router = createRouter({
  routeTree: tree,
  basepath: "/app",
  defaultPreload: "intent",
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: Crashed,
  scrollRestoration: true,
  // Parameters are plain strings, as in the links of webhook messages.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    // An empty value is kept: pages leave out their initial values, and a parameter may be empty while its initial value is not.
    const text = new URLSearchParams(
      Object.entries(search as Record<string, unknown>)
        .filter(([, value]) => value != null)
        .map(([name, value]) => [name, String(value)]),
    ).toString();
    return text && `?${text}`;
  },
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
