import { Link } from "@tanstack/react-router";
import { ChevronRight, Plus } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { AccountMenu } from "@/app/AccountMenu";
import { useMe } from "@/app/session";
import { strings as frame } from "@/strings";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { Empty } from "@/ui/Empty";
import { Page } from "@/ui/Page";
import { loadCode } from "@/ui/loadCode";
import { Panel } from "@/ui/Panel";
import { strings } from "./strings";

const NewProject = lazy(() => loadCode(() => import("@/app/NewProject")));

export default function Projects() {
  const me = useMe({ isFollowed: true });
  const [creates, setCreates] = useState(false);
  const isOwner = me.data?.user?.isOwner ?? false;
  return (
    <main id="content" tabIndex={-1} className="mx-auto max-w-3xl outline-none">
      <Page
        title={strings.title}
        lead={strings.lead}
        actions={
          <>
            {isOwner && (
              <Button kind="primary" icon={<Plus size={14} aria-hidden />} onClick={() => setCreates(true)}>
                {frame.newProject.title}
              </Button>
            )}
            <div className="max-w-48">
              <AccountMenu />
            </div>
          </>
        }
      >
        <Panel
          title={strings.list}
          query={me}
          flush
          isEmpty={(me) => me.projects.length === 0}
          empty={
            isOwner ? <Empty title={strings.noneOwner} text={frame.newProject.text} /> : <Empty title={strings.none} text={strings.noneText} command={strings.command} />
          }
        >
          {(me) => (
            <ul className="divide-y">
              {me.projects.map((project) => (
                <li key={project.slug}>
                  <Link
                    to="/$project/overview"
                    params={{ project: project.slug }}
                    className="flex min-h-12 items-center gap-3 px-3 py-2 -outline-offset-2 hover:bg-hover"
                  >
                    <span className="min-w-0 flex-1">
                      <span className="block truncate font-medium">{project.name}</span>
                      <span className="block truncate font-mono text-xs text-faint">{project.slug}</span>
                    </span>
                    <Badge>{strings.roles[project.role]}</Badge>
                    <ChevronRight size={16} aria-hidden className="text-faint" />
                  </Link>
                </li>
              ))}
            </ul>
          )}
        </Panel>
        {creates && (
          <Suspense>
            <NewProject onClose={() => setCreates(false)} />
          </Suspense>
        )}
      </Page>
    </main>
  );
}
