import { useState } from "react";
import { useRefusal } from "@/api/access";
import { useApi } from "@/api/project";
import { bytes, count } from "@/format/format";
import { Button } from "@/ui/Button";
import { DangerDialog } from "@/ui/DangerDialog";
import { Figure } from "@/ui/Figure";
import { Panel } from "@/ui/Panel";
import { Time } from "@/ui/Time";
import { strings } from "./strings";

const text = strings.cleanup;

/** Shows what a cleanup would delete, and runs it. */
export function Cleanup() {
  const refusal = useRefusal("admin");
  const [asks, setAsks] = useState(false);
  const query = useApi().useQuery("get", "/v1/ota/gc");
  const garbage = query.data;
  const isNothing = garbage !== undefined && garbage.builds.length === 0 && garbage.pendingBlobs === 0;
  return (
    <Panel
      title={text.title}
      query={query}
      actions={
        <Button size="sm" command refusal={refusal ?? (isNothing ? text.nothing : null)} onClick={() => setAsks(true)}>
          {text.run}
        </Button>
      }
    >
      {(garbage) => (
        <div className="flex flex-col gap-3">
          <p className="text-muted">{isNothing ? text.nothing : text.would}</p>
          <div className="grid grid-cols-2 gap-4 sm:grid-cols-4">
            <Figure label={text.builds} value={count(garbage.builds.length)} />
            <Figure label={text.files} value={count(garbage.blobCount)} />
            <Figure label={text.bytes} value={bytes(garbage.bytes)} />
            <Figure label={text.pending} value={count(garbage.pendingBlobs)} />
          </div>
          {garbage.builds.length > 0 && (
            <ul tabIndex={0} aria-label={text.builds} className="max-h-72 divide-y overflow-y-auto rounded-md border">
              {garbage.builds.map((build) => (
                <li key={build.id} className="flex flex-wrap items-baseline gap-x-3 px-3 py-1.5">
                  <span className="min-w-0 flex-1 truncate">{build.message || build.uuid}</span>
                  <span className="text-xs text-muted">{text.build(build.id, build.platform, build.runtimeVersion)}</span>
                  <span className="text-xs tabular-nums">{bytes(build.sizeBytes)}</span>
                  <span className="text-xs text-faint">
                    <Time at={build.createdAt} />
                  </span>
                </li>
              ))}
            </ul>
          )}
          {asks && (
            <DangerDialog
              onClose={() => setAsks(false)}
              title={text.run}
              text={text.text}
              done={text.done}
              run={(client, _reason, key) => client.POST("/v1/ota/gc", { params: { header: { "Idempotency-Key": key } } })}
            >
              <p>
                {text.would}: {`${count(garbage.builds.length)} ${text.builds}, ${bytes(garbage.bytes)}`}
              </p>
            </DangerDialog>
          )}
        </div>
      )}
    </Panel>
  );
}
