import { useNavigate } from "@tanstack/react-router";
import { ChevronsUpDown } from "lucide-react";
import { useProject } from "@/api/project";
import { strings } from "@/strings";
import { Menu } from "@/ui/Menu";
import { useMe } from "./session";

/** The menu of projects. `onCreate` opens the dialog that creates one. */
export function ProjectSwitcher({ onCreate }: { onCreate: () => void }) {
  const { name } = useProject();
  const me = useMe();
  const navigate = useNavigate();
  return (
    <Menu
      onOpen={() => void me.refetch()}
      trigger={
        <button
          type="button"
          className="flex h-8 w-full min-w-0 items-center gap-2 rounded-md px-2 font-semibold hover:bg-hover"
        >
          <span
            aria-hidden
            data-initial={name.slice(0, 1).toUpperCase()}
            className="grid size-5 shrink-0 place-items-center rounded bg-accent text-2xs text-on-accent before:content-[attr(data-initial)]"
          />
          <span className="sr-only">{strings.nav.switchProject}: </span>
          <span className="truncate">{name}</span>
          <ChevronsUpDown size={14} aria-hidden className="ml-auto shrink-0 text-faint" />
        </button>
      }
      items={[
        ...(me.data?.projects ?? []).map((project) => ({
          label: project.name,
          onSelect: () => void navigate({ to: "/$project/overview", params: { project: project.slug } }),
        })),
        { label: strings.newProject.title, onSelect: onCreate, refusal: me.data?.user?.isOwner ? null : strings.newProject.ownersOnly },
        { label: strings.nav.allProjects, onSelect: () => void navigate({ to: "/projects" }) },
      ]}
    />
  );
}
