import { TriangleAlert } from "lucide-react";
import { count } from "@/format/format";
import { strings } from "@/strings";
import { channelSentences, flagSentence, moveSentence, releaseSentence, rolloutSentence, type Effect } from "./effect";

const text = strings.dialog;

interface Props {
  effect: Effect;
  /** Describes the number of affected devices, if it does not count devices that change release. null if the call has no such number. */
  affected?: ((count: number | null) => string) | null;
}

/** Shows the effect of an action in numbers and sentences. */
export function PreviewOfEffect({ effect, affected = devicesOf(effect) }: Props) {
  return (
    <div className="flex flex-col gap-2">
      {affected && (
        <p>
          <strong className="text-lg tabular-nums">{count(effect.devicesAffected)}</strong> {affected(effect.devicesAffected)}
        </p>
      )}
      {listsOf(effect)
        .filter(([, sentences]) => sentences.length > 0)
        .map(([name, sentences]) => (
          <div key={name}>
            <p className="text-xs text-muted">{name}</p>
            <ul className="list-disc pl-5">
              {sentences.map((sentence, index) => (
                <li key={`${index} ${sentence}`} className="break-words">
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

function devicesOf(effect: Effect): (count: number | null) => string {
  if ("moves" in effect) return text.devicesOfFlags;
  const isOfFlags = effect.flags.length > 0 && effect.channels.length + effect.releases.length + effect.executions.length === 0;
  return isOfFlags ? text.devicesOfFlags : text.devices;
}

function listsOf(effect: Effect): [string, string[]][] {
  if ("moves" in effect) return [[text.values, effect.moves.map(moveSentence)]];
  return [
    [text.channels, channelSentences(effect.channels)],
    [text.releases, effect.releases.map(releaseSentence)],
    [text.executions, effect.executions.map(rolloutSentence)],
    [text.flags, effect.flags.map(flagSentence)],
  ];
}
