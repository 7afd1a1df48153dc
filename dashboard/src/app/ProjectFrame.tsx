import { Link, Outlet, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { ProjectProvider } from "@/api/project";
import { Live } from "@/live/Live";
import { strings } from "@/strings";
import { Failure } from "@/ui/Failure";
import { Page } from "@/ui/Page";
import { Placeholder } from "@/ui/Panel";
import { useMe } from "./session";
import { Shell } from "./Shell";

/** The frame around the pages of one project: its client, cache, event stream and navigation. */
export function ProjectFrame() {
  const { project: slug } = useParams({ from: "/$project" });
  const me = useMe();
  // Each retry clears the query's error until the response arrives. The page shows the last error until then.
  const [failure, setFailure] = useState(me.error);
  if (me.error && me.error !== failure) setFailure(me.error);
  if (!me.data && failure) {
    return (
      <main id="content" tabIndex={-1} className="outline-none">
        <Page title={strings.projectsFailed}>
          <Failure error={failure} onRetry={() => void me.refetch()} />
        </Page>
      </main>
    );
  }
  if (!me.data) return <Placeholder className="p-6" />;
  const project = me.data.projects.find((each) => each.slug === slug);
  if (!project) {
    return (
      <main id="content" tabIndex={-1} className="outline-none">
        <Page title={strings.noProject.title} lead={strings.noProject.text}>
          <Link to="/projects" className="text-link underline underline-offset-2">
            {strings.notFound.back}
          </Link>
        </Page>
      </main>
    );
  }
  return (
    <ProjectProvider key={project.slug} slug={project.slug} name={project.name} role={project.role}>
      <Live position={me.data.position} onPeople={() => void me.refetch()} />
      <Shell>
        <Outlet />
      </Shell>
    </ProjectProvider>
  );
}
