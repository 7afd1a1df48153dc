import type { Schemas } from "@/api/client";
import { sentence } from "@/format/format";
import { Badge, type Tone } from "@/ui/Badge";
import { ReleaseLink } from "@/ui/ReleaseLink";
import { strings } from "./strings";

type Resolution = Schemas["Resolution"];

const tones: Record<string, Tone> = {
  chosen: "ok",
  up_to_date: "ok",
  update: "ok",
  paused: "warn",
  below: "warn",
};

/** Shows what a step decided in words. */
function Decided({ step: { step, outcome } }: { step: Resolution["steps"][number] }) {
  const words = strings.why.decided[step]?.[outcome];
  return words && <Badge tone={tones[outcome] ?? "plain"}>{words}</Badge>;
}

/** Shows the release that a device gets, and the steps that led to it. */
export function Why({ resolution, intro }: { resolution: Resolution; intro: string }) {
  const text = strings.why;
  return (
    <div className="flex flex-col gap-3">
      <p aria-live="polite" className="[&_a]:underline">
        <span className="text-muted">{intro}</span> <strong className="font-semibold">{text.outcomes[resolution.outcome]}</strong>{" "}
        {resolution.updateId !== null && <ReleaseLink release={resolution.release} uuid={resolution.updateUuid} />}{" "}
        {resolution.branchName !== null && <span className="text-muted">{text.branch(resolution.branchName)}</span>}
      </p>
      <ol className="flex flex-col">
        {resolution.steps.map((step, index) => (
          <li key={index} className="relative grid grid-cols-[1.25rem_minmax(0,1fr)] gap-x-2 pb-2.5 last:pb-0">
            <span aria-hidden className="flex flex-col items-center">
              <span className="grid size-5 place-items-center rounded-full bg-selected text-2xs tabular-nums">{index + 1}</span>
              {index < resolution.steps.length - 1 && <span className="mt-0.5 w-px flex-1 bg-line" />}
            </span>
            <div className="min-w-0">
              <p className="flex flex-wrap items-center gap-2">
                <span className="font-medium">{text.steps[step.step] ?? step.step}</span>
                <Decided step={step} />
              </p>
              <p className="text-muted [overflow-wrap:anywhere]">{sentence(step.detail)}</p>
            </div>
          </li>
        ))}
      </ol>
    </div>
  );
}
