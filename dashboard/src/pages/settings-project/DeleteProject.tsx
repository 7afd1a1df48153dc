import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useProject } from "@/api/project";
import { useMe } from "@/app/session";
import { Button } from "@/ui/Button";
import { DangerDialog } from "@/ui/DangerDialog";
import { Panel } from "@/ui/Panel";
import { strings } from "./strings";

const text = strings.remove;

/** Deletes the project permanently, after its name is typed. */
export function DeleteProject() {
  const { slug } = useProject();
  const queries = useQueryClient();
  const me = useMe();
  const [asks, setAsks] = useState(false);
  return (
    <Panel title={text.title}>
      <div className="flex flex-col items-start gap-3">
        <p>{text.text}</p>
        <Button kind="danger" command refusal={me.data?.user?.isOwner ? null : text.ownersOnly} onClick={() => setAsks(true)}>
          {text.title}
        </Button>
      </div>
      {asks && (
        <DangerDialog
          onClose={() => setAsks(false)}
          title={`${text.title} ${slug}`}
          text={text.text}
          confirm={text.button}
          typeName={slug}
          done={text.done}
          run={(client) => client.DELETE("/v1/ota/projects/{slug}", { params: { path: { slug } } })}
          onDone={() => {
            queries.clear();
            location.assign("/app/projects");
          }}
        />
      )}
    </Panel>
  );
}
