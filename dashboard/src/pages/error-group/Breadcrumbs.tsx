import type { Schemas } from "@/api/client";
import { count, dateTime, timeWithSeconds } from "@/format/format";
import { usePreferences } from "@/format/preferences";
import { strings as frame } from "@/strings";
import { Badge, type Tone } from "@/ui/Badge";
import { strings } from "./strings";

type Breadcrumb = Schemas["Breadcrumb"];
const text = strings.breadcrumbs;

/** The number of breadcrumbs before the error that are always shown. */
const newest = 10;
const tones: Record<Breadcrumb["level"], Tone> = { debug: "plain", info: "info", warning: "warn", error: "bad" };

/** Shows what happened in the app before an error, oldest first. The oldest of many are shown on request. */
export function Breadcrumbs({ breadcrumbs }: { breadcrumbs: Breadcrumb[] }) {
  usePreferences();
  const hidden = Math.max(0, breadcrumbs.length - newest);
  return (
    <div role="region" aria-label={text.title}>
      <p className="text-xs text-muted">
        {text.title} <span className="text-faint">· {text.clock}</span>
      </p>
      <div className="mt-1 overflow-clip rounded-md border">
        {hidden > 0 && (
          <details className="border-b">
            <summary className="min-h-6 px-2 py-1 text-xs text-muted">{text.earlier(count(hidden))}</summary>
            <List breadcrumbs={breadcrumbs.slice(0, hidden)} className="border-t" />
          </details>
        )}
        <List breadcrumbs={breadcrumbs.slice(hidden)} />
      </div>
    </div>
  );
}

function List({ breadcrumbs, className = "" }: { breadcrumbs: Breadcrumb[]; className?: string }) {
  return (
    <ol className={`divide-y ${className}`}>
      {breadcrumbs.map((each, index) => (
        <li key={index} className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5 px-2 py-1 text-xs sm:flex-nowrap">
          <span className="w-16 shrink-0 text-faint tabular-nums">
            {each.timestamp ? (
              <time dateTime={each.timestamp} title={dateTime(each.timestamp)}>
                {timeWithSeconds(each.timestamp)}
              </time>
            ) : (
              frame.unknown
            )}
          </span>
          <span className="w-16 shrink-0">
            <Badge tone={tones[each.level]}>{text.levels[each.level]}</Badge>
          </span>
          <div className="min-w-0 basis-full break-words sm:basis-auto">
            {each.category && <span className="mr-2 font-mono break-all text-muted">{each.category}</span>}
            {each.message}
            <Data data={each.data} />
          </div>
        </li>
      ))}
    </ol>
  );
}

function Data({ data }: { data: Breadcrumb["data"] }) {
  const entries = Object.entries(data);
  if (entries.length === 0) return null;
  return (
    <ul className="flex flex-wrap gap-x-3 text-muted">
      {entries.map(([name, value]) => (
        <li key={name} className="min-w-0 break-all">
          <span className="text-faint">{name}:</span> {value}
        </li>
      ))}
    </ul>
  );
}
