import { Link } from "@tanstack/react-router";
import { TriangleAlert, Undo2 } from "lucide-react";
import { useState } from "react";
import { useRefusal } from "@/api/access";
import type { Stream } from "@/api/overview";
import { useProject } from "@/api/project";
import { actorName } from "@/format/actions";
import { releaseName } from "@/format/releaseName";
import { RollbackDialog } from "@/rollback/RollbackDialog";
import { Button } from "@/ui/Button";
import { ReleaseNumber } from "@/ui/ReleaseNumber";
import { Time } from "@/ui/Time";
import { brokenPublishes, stillRun, whatIsWrong, type Broken, type BrokenLine, type BrokenPublish } from "./broken";
import { strings } from "./strings";

const text = strings.broken;
const link = "inline-flex min-h-6 items-center text-link underline underline-offset-2";

/** Shows the releases that need a person now: a card per publish, with a line per target. */
export function BrokenCards({ rows }: { rows: Stream[] }) {
  // The dialog keeps asking about the same release, even if the release is rolled back elsewhere in the meantime.
  const [asked, setAsked] = useState<Asked | null>(null);
  return (
    <>
      {brokenPublishes(rows).map((publish) => (
        <Card key={publish.id} publish={publish} onRollBack={setAsked} />
      ))}
      {asked && <RollbackDialog {...asked} onClose={() => setAsked(null)} />}
    </>
  );
}

interface Asked {
  updateId: number;
  channel: string;
  platform: string;
}

function Card({ publish: { lines }, onRollBack }: { publish: BrokenPublish; onRollBack: (asked: Asked) => void }) {
  const { slug: project } = useProject();
  const refusal = useRefusal("editor");
  const first = lines[0]?.broken.health;
  if (!first) return null;
  const name = first.release ? releaseName(first.release) : strings.embedded;
  const served = lines.find(({ row, broken }) => broken.isServed && row.platform !== "web");
  const updateId = served?.broken.health.updateId ?? null;
  return (
    <section aria-label={text.of(name)} className="overflow-clip rounded-lg border border-bad/60 border-l-4 border-l-bad bg-panel shadow-sm">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-bad/30 bg-bad-soft px-4 py-2">
        <h2 className="flex min-w-0 flex-1 basis-60 flex-wrap items-center gap-x-2 text-base/snug font-semibold">
          <TriangleAlert size={16} aria-hidden className="shrink-0 text-bad" />
          <span className="shrink-0 text-bad">{text.title}</span>
          {first.updateId === null ? (
            <span className="break-words">{name}</span>
          ) : (
            <Link to="/$project/releases/$id" params={{ project, id: String(first.updateId) }} className="min-w-0 py-0.5 break-words underline underline-offset-2">
              {name}
            </Link>
          )}
        </h2>
        {served && updateId !== null && (
          <Button
            kind="danger"
            refusal={refusal}
            icon={<Undo2 size={14} aria-hidden />}
            aria-label={text.rollBack(name)}
            command={text.rollBack(name)}
            onClick={() => onRollBack({ updateId, channel: served.row.channel, platform: served.row.platform })}
          >
            {strings.rollBack}
          </Button>
        )}
      </header>
      <ul className="divide-y px-4 pb-1">
        {lines.map((line) => (
          <Line key={`${line.row.channel} ${line.row.platform} ${line.row.runtimeVersion}`} line={line} />
        ))}
      </ul>
    </section>
  );
}

/** Shows what is wrong with the release on one target, and whether devices still get it. */
function Line({ line }: { line: BrokenLine }) {
  const { slug: project } = useProject();
  const { row, broken } = line;
  const { health, incident } = broken;
  const wrong = whatIsWrong(broken);
  const run = stillRun(line);
  return (
    <li className="grid items-baseline gap-x-6 gap-y-1 py-2.5 sm:grid-cols-[minmax(0,1fr)_minmax(0,2.5fr)_auto]">
      <p className="flex min-w-0 flex-wrap items-baseline gap-x-2">
        <span className="font-medium">{strings.platforms[row.platform] ?? row.platform}</span>
        <span className="min-w-0 truncate text-muted">{row.channel}</span>
        {health.updateId !== null && <ReleaseNumber id={health.updateId} />}
      </p>
      <div className="min-w-0 break-words">
        {wrong && <p className="font-medium text-bad">{wrong}</p>}
        <p className="text-xs text-muted">
          <State broken={broken} />
          {run && ` ${run}`}
        </p>
      </div>
      <p className="flex flex-wrap gap-x-3 text-xs">
        {incident && (
          <Link to="/$project/incidents" params={{ project }} search={{ status: "open" }} className={link}>
            {text.incidentLink}
          </Link>
        )}
        {broken.rolloutExecutionId !== null && (
          <Link to="/$project/rollouts/$id" params={{ project, id: String(broken.rolloutExecutionId) }} className={link}>
            {text.rolloutLink}
          </Link>
        )}
        {health.updateUuid !== null && (
          <Link to="/$project/observe" params={{ project }} search={{ updateUuid: health.updateUuid }} className={link}>
            {text.errorsLink}
          </Link>
        )}
      </p>
    </li>
  );
}

/** Tells whether devices still get the release. For a release that was rolled back, it names the actor, the time and the reason. */
function State({ broken: { isServed, disabledAt, disabledBy, disabledReason } }: { broken: Broken }) {
  if (isServed) return text.isServed;
  if (!disabledAt || !disabledBy) return text.isGone;
  return (
    <>
      {text.rolledBack(actorName(disabledBy.type === "system" ? disabledBy.type : disabledBy.name))} <Time at={disabledAt} />
      {disabledReason ? `. ${text.reason(disabledReason)}.` : "."}
    </>
  );
}
