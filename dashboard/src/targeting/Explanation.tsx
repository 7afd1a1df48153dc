import type { Schemas } from "@/api/client";
import { Badge } from "@/ui/Badge";
import { cx } from "@/ui/cx";
import { conditionSentence, quoted } from "./conditions";
import { positionSentence } from "./position";
import { strings } from "./strings";

const text = strings.explanation;

/** Shows a flag's value for a context, and for each rule whether and why it matches. */
export function Explanation({ explanation }: { explanation: Schemas["FlagExplanation"] }) {
  return (
    <div className="flex flex-col gap-3">
      <p>
        {text.flagIs} <strong className="font-mono break-all">{JSON.stringify(explanation.value)}</strong>
        {explanation.variant && ` (${explanation.variant})`}, {text.because} {text.reasons[explanation.reason]}.
      </p>
      {explanation.detail && <p className="break-words text-bad">{explanation.detail}</p>}
      {explanation.rules.length === 0 && <p className="text-muted">{text.noRules}</p>}
      <ol className="flex flex-col gap-2">
        {explanation.rules.map((rule, index) => (
          <li key={rule.ruleId} className={cx("rounded-lg border p-3", rule.decided && "border-ok")}>
            <div className="flex flex-wrap items-center gap-2">
              <span className="font-medium">{text.rule(index + 1)}</span>
              {rule.channelName && <span className="text-xs text-muted">{text.only(rule.channelName)}</span>}
              <Badge tone={rule.decided ? "ok" : rule.matched ? "info" : "plain"}>{rule.decided ? text.decided : rule.matched ? text.matched : text.notMatched}</Badge>
            </div>
            {rule.bucket === undefined ? (
              <p className="break-words text-muted">{rule.detail}</p>
            ) : (
              <p className="text-muted tabular-nums" title={text.positionHint}>
                {positionSentence({ bucket: rule.bucket, threshold: rule.threshold })}
              </p>
            )}
            {rule.conditions && rule.conditions.length > 0 && (
              <ul className="mt-1 flex flex-col gap-0.5 text-xs">
                {rule.conditions.map((condition, at) => (
                  <li key={at} className="break-words">
                    <span className={condition.holds ? "text-ok" : "text-bad"}>{condition.holds ? text.holds : text.fails}</span> {conditionSentence(condition)};{" "}
                    {condition.actual == null ? text.missing : text.is(quoted(condition.actual))}
                    {condition.note && <span className="text-bad"> ({condition.note})</span>}
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ol>
    </div>
  );
}
