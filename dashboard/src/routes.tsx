import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Navigate, redirect } from "@tanstack/react-router";
import { Crashed } from "./app/Crashed";
import { NotFound } from "./app/NotFound";
import { ProjectFrame } from "./app/ProjectFrame";
import { Root } from "./app/Root";
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

const project = createRoute({ getParentRoute: () => root, path: "/$project", component: ProjectFrame });

type Load = Parameters<typeof lazyRouteComponent>[0];

/** Creates the route of a project's page. The page's component is the default export of its folder. */
function page<const Path extends string>(path: Path, load: Load) {
  return createRoute({ getParentRoute: () => project, path, component: lazyRouteComponent(() => loadCode(load)) });
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
  page("releases", () => import("./pages/releases")),
  page("releases/$id", () => import("./pages/release")),
  page("builds", () => import("./pages/builds")),
  page("publish", () => import("./pages/publish")),
  page("rollouts", () => import("./pages/rollouts")),
  page("rollouts/$id", () => import("./pages/rollout")),
  page("channels", () => import("./pages/channels")),
  page("policies", () => import("./pages/policies")),
  page("policies/$id", () => import("./pages/policy")),
  page("flags", () => import("./pages/flags")),
  page("flags/$id", () => import("./pages/flag")),
  page("segments", () => import("./pages/segments")),
  page("contexts", () => import("./pages/contexts")),
  page("incidents", () => import("./pages/incidents")),
  page("observe", () => import("./pages/observe")),
  page("observe/$fingerprint", () => import("./pages/error-group")),
  page("devices", () => import("./pages/devices")),
  page("devices/$deviceId", () => import("./pages/device")),
  page("webhooks", () => import("./pages/webhooks")),
  page("webhooks/$id", () => import("./pages/webhook")),
  page("overrides", () => import("./pages/overrides")),
  page("approvals", () => import("./pages/approvals")),
  page("approvals/$id", () => import("./pages/approval")),
  page("audit", () => import("./pages/audit")),
  page("settings/project", () => import("./pages/settings-project")),
  page("settings/keys", () => import("./pages/settings-keys")),
  page("settings/members", () => import("./pages/settings-members")),
  page("settings/signing", () => import("./pages/settings-signing")),
  page("settings/retention", () => import("./pages/settings-retention")),
  page("settings/sign-in", () => import("./pages/settings-sign-in")),
  page("settings/publishers", () => import("./pages/settings-publishers")),
  page("settings/sessions", () => import("./pages/settings-sessions")),
] as const;

const tree = root.addChildren([home, projects, project.addChildren(pages)]);

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
    const text = new URLSearchParams(
      Object.entries(search as Record<string, unknown>)
        .filter(([, value]) => value != null && value !== "")
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
