import { TriangleAlert } from "lucide-react";
import { count } from "@/format/format";
import { strings } from "@/strings";
import { channelSentences, flagSentence, releaseSentence, rolloutSentence, type Effect } from "./effect";

/** Shows the effect of an action in numbers and sentences. */
export function PreviewOfEffect({ effect }: { effect: Effect }) {
  const lists: [string, string[]][] = [
    [strings.dialog.channels, channelSentences(effect.channels)],
    [strings.dialog.releases, effect.releases.map(releaseSentence)],
    [strings.dialog.executions, effect.executions.map(rolloutSentence)],
    [strings.dialog.flags, effect.flags.map(flagSentence)],
  ];
  const isOfFlags = effect.flags.length > 0 && effect.channels.length + effect.releases.length + effect.executions.length === 0;
  const devices = isOfFlags ? strings.dialog.devicesOfFlags : strings.dialog.devices;
  return (
    <div className="flex flex-col gap-2">
      <p>
        <strong className="text-lg tabular-nums">{count(effect.devicesAffected)}</strong> {devices(effect.devicesAffected)}
      </p>
      {lists
        .filter(([, sentences]) => sentences.length > 0)
        .map(([name, sentences]) => (
          <div key={name}>
            <p className="text-xs text-muted">{name}</p>
            <ul className="list-disc pl-5">
              {sentences.map((sentence) => (
                <li key={sentence} className="break-words">
                  {sentence}
                </li>
              ))}
            </ul>
          </div>
        ))}
      {effect.warnings.map((warning) => (
        <p key={warning} className="flex items-start gap-2 rounded-md bg-warn-soft px-2 py-1.5 text-warn">
          <TriangleAlert size={14} aria-hidden className="mt-0.5 shrink-0" />
          {warning}
        </p>
      ))}
    </div>
  );
}
