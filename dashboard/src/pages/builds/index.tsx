import { useNavigate } from "@tanstack/react-router";
import { Upload } from "lucide-react";
import { useMemo, useState } from "react";
import { useRefusal } from "@/api/access";
import type { Schemas } from "@/api/client";
import { useProject } from "@/api/project";
import { strings as frame } from "@/strings";
import { ListPage } from "@/ui/ListPage";
import { Select } from "@/ui/Select";
import { useList } from "@/ui/useList";
import { usePageSearch } from "@/ui/usePageSearch";
import { columns, type Action } from "./columns";
import { DeleteDialog } from "./DeleteDialog";
import { DeleteSourceMapDialog } from "./DeleteSourceMapDialog";
import { PublishDialog } from "./PublishDialog";
import { SourceMapDialog } from "./SourceMapDialog";
import { strings } from "./strings";

type Build = Schemas["Build"];

const platforms = ["ios", "android"] as const;

/** The list of builds, newest first, with the actions of each. */
export default function Builds() {
  const { slug } = useProject();
  const navigate = useNavigate();
  const refusal = useRefusal("editor");
  const [view, setView] = usePageSearch("/$project/builds");
  const [asked, setAsked] = useState<{ build: Build; action: Action } | null>(null);
  const query = useList<Build>("/v1/ota/builds", { platform: view.platform || undefined, assets: false });
  const table = useMemo(() => columns(slug, refusal, (build, action) => setAsked({ build, action })), [slug, refusal]);
  const close = () => setAsked(null);
  return (
    <ListPage
      strings={{ ...strings, filter: strings.search, add: frame.nav.publish }}
      icon={Upload}
      refusal={refusal}
      onAdd={() => void navigate({ to: "/$project/publish", params: { project: slug } })}
      query={query}
      columns={table}
      rowHeight={68}
      placeholder="h-96"
      isFiltered={view.platform !== ""}
      controls={
        <Select
          label={strings.platform}
          value={view.platform}
          onChange={(platform) => setView({ platform })}
          options={[{ value: "", label: strings.anyPlatform }, ...platforms.map((each) => ({ value: each, label: frame.platforms[each] }))]}
        />
      }
    >
      {asked?.action === "publish" && <PublishDialog build={asked.build} onClose={close} />}
      {asked?.action === "sourceMap" && <SourceMapDialog build={asked.build} onClose={close} />}
      {asked?.action === "removeSourceMap" && <DeleteSourceMapDialog build={asked.build} onClose={close} />}
      {asked?.action === "remove" && <DeleteDialog build={asked.build} onClose={close} />}
    </ListPage>
  );
}
