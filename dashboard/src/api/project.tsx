import { QueryClient, QueryClientProvider, QueryCache, MutationCache } from "@tanstack/react-query";
import createQueryHooks, { type OpenapiQueryClient } from "openapi-react-query";
import { createContext, use, useEffect, useMemo, type ReactNode } from "react";
import { createApiClient, type ApiClient } from "./client";
import { asProblem } from "./problem";
import type { paths } from "./schema";

export type Role = "viewer" | "editor" | "admin";

interface Project {
  slug: string;
  name: string;
  role: Role;
  client: ApiClient;
  hooks: OpenapiQueryClient<paths>;
}

const ProjectContext = createContext<Project | null>(null);

/** Returns a query cache. It keeps data when a refetch fails. It retries a query after an outage, but not after a refusal. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache(),
    mutationCache: new MutationCache(),
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        gcTime: 10 * 60_000,
        networkMode: "always",
        retry: (failures, error) => asProblem(error).isOutage && failures < 2,
        retryDelay: (failures) => Math.min(500 * 2 ** failures, 4_000),
        refetchOnWindowFocus: true,
        // During an outage, a query is repeated, so that panels recover without a click.
        refetchInterval: (query) => (query.state.error && asProblem(query.state.error).isOutage ? 2_500 : false),
      },
      mutations: { networkMode: "always", retry: false },
    },
  });
}

/** Provides the client and the query cache of one project to the pages inside. Clears the cache when the project is left. */
export function ProjectProvider(props: { slug: string; name: string; role: Role; children: ReactNode }) {
  const { slug, name, role } = props;
  const { queries, client, hooks } = useMemo(() => {
    const client = createApiClient(slug);
    return { queries: createQueryClient(), client, hooks: createQueryHooks(client) };
  }, [slug]);
  const project = useMemo(() => ({ slug, name, role, client, hooks }), [slug, name, role, client, hooks]);
  useEffect(() => () => queries.clear(), [queries]);
  return (
    <ProjectContext value={project}>
      <QueryClientProvider client={queries}>{props.children}</QueryClientProvider>
    </ProjectContext>
  );
}

export function useProject(): Project {
  const project = use(ProjectContext);
  if (!project) throw new Error("useProject is for pages of a project");
  return project;
}

/** Returns typed hooks of this project: `useApi().useQuery("get", "/v1/ota/flags")`. */
export function useApi(): OpenapiQueryClient<paths> {
  return useProject().hooks;
}
