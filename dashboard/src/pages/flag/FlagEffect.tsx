import type { UseQueryResult } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import type { Schemas } from "@/api/client";
import { asProblem } from "@/api/problem";
import { count } from "@/format/format";
import { Placeholder } from "@/ui/Panel";
import { strings } from "./strings";

const text = strings.diff;

/** Shows how many devices would get another value if the draft was saved. */
export function FlagEffect({ query }: { query: UseQueryResult<Schemas["FlagPreview"]> }) {
  const { data, error } = query;
  return (
    <section aria-label={text.effect} aria-live="polite" className="flex min-h-12 flex-col gap-2 rounded-lg border p-3">
      {data ? <Moves preview={data} /> : error ? <Unknown reason={asProblem(error).message} /> : <Counting />}
    </section>
  );
}

/** Says that the effect is unknown, and that saving is possible all the same. */
function Unknown({ reason }: { reason: string }) {
  return (
    <>
      <p className="text-muted">{text.noEffect(reason)}</p>
      <p>{text.withoutEffect}</p>
    </>
  );
}

/** Says that the effect is not known yet, and that saving waits for it. */
function Counting() {
  return (
    <>
      <p className="text-muted">{text.counting}</p>
      <Placeholder />
    </>
  );
}

function Moves({ preview: { devicesAffected, moves, warnings } }: { preview: Schemas["FlagPreview"] }) {
  return (
    <>
      <p>{devicesAffected == null ? text.unknownDevices : text.devices(count(devicesAffected))}</p>
      {moves.length > 0 && (
        <ul className="list-disc pl-5">
          {moves.map((move, index) => (
            <li key={index} className="break-words">
              {text.move(count(move.devices), move.fromVariant ?? JSON.stringify(move.from), move.toVariant ?? JSON.stringify(move.to))}
            </li>
          ))}
        </ul>
      )}
      {warnings.map((warning) => (
        <p key={warning} className="flex items-start gap-2 rounded-md bg-warn-soft px-2 py-1.5 text-warn">
          <TriangleAlert size={14} aria-hidden className="mt-0.5 shrink-0" />
          {warning}
        </p>
      ))}
    </>
  );
}
