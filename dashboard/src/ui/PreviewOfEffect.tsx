import { TriangleAlert } from "lucide-react";
import { count } from "@/format/format";
import { strings } from "@/strings";

interface Named {
  id?: number | string;
  key?: string;
  releaseMessage?: string | null;
  channel?: string | null;
  platform?: string;
}

/** What a call would change, as the API's previews answer it. */
export interface Effect {
  devicesAffected: number | null;
  releases: Named[];
  executions: Named[];
  flags: Named[];
  warnings: string[];
}

/** The effect of an action, in figures and names. */
export function PreviewOfEffect({ effect }: { effect: Effect }) {
  const lists: [string, Named[]][] = [
    [strings.dialog.releases, effect.releases ?? []],
    [strings.dialog.executions, effect.executions ?? []],
    [strings.dialog.flags, effect.flags ?? []],
  ];
  return (
    <div className="flex flex-col gap-2">
      <p>
        <strong className="text-lg tabular-nums">{count(effect.devicesAffected)}</strong> {strings.dialog.devices}
      </p>
      {lists
        .filter(([, items]) => items.length > 0)
        .map(([name, items]) => (
          <div key={name}>
            <p className="text-xs text-muted">{name}</p>
            <ul className="list-disc pl-5">
              {items.map((item, index) => (
                <li key={item.id ?? item.key ?? index} className="break-words">
                  {[item.key ?? `#${item.id}`, item.releaseMessage, item.platform, item.channel].filter(Boolean).join(" · ")}
                </li>
              ))}
            </ul>
          </div>
        ))}
      {(effect.warnings ?? []).map((warning) => (
        <p key={warning} className="flex items-start gap-2 rounded-md bg-warn-soft px-2 py-1.5 text-warn">
          <TriangleAlert size={14} aria-hidden className="mt-0.5 shrink-0" />
          {warning}
        </p>
      ))}
    </div>
  );
}
