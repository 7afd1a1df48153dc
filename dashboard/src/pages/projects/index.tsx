import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { AccountMenu } from "@/app/AccountMenu";
import { useMe } from "@/app/session";
import { Badge } from "@/ui/Badge";
import { Empty } from "@/ui/Empty";
import { Page } from "@/ui/Page";
import { Panel } from "@/ui/Panel";
import { strings } from "./strings";

export default function Projects() {
  const me = useMe({ isFollowed: true });
  return (
    <main id="content" tabIndex={-1} className="mx-auto max-w-3xl outline-none">
      <Page
        title={strings.title}
        lead={strings.lead}
        actions={
          <div className="max-w-48">
            <AccountMenu />
          </div>
        }
      >
        <Panel
          title={strings.list}
          query={me}
          flush
          isEmpty={(me) => me.projects.length === 0}
          empty={<Empty title={strings.none} text={strings.noneText} command={strings.command} />}
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
      </Page>
    </main>
  );
}
