import { Link, type LinkProps } from "@tanstack/react-router";
import type { Schemas } from "@/api/client";
import { useProject } from "@/api/project";
import { pageOf } from "@/audit/pageOf";
import { subjectOf } from "@/audit/telling";
import { duration } from "@/format/format";
import { statusTones } from "@/pages/webhooks/state";
import { strings as list } from "@/pages/webhooks/strings";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { Facts } from "@/ui/Facts";
import { Time } from "@/ui/Time";
import { WorkflowLink } from "@/ui/WorkflowLink";
import { strings } from "./strings";

type Delivery = Schemas["WebhookDelivery"];
const text = strings.deliveries;

interface Props {
  delivery: Delivery;
  url: string;
  example: Schemas["WebhookMessage"] | undefined;
  refusal: string | null;
  onRedeliver: () => void;
}

/** Shows a delivery with its attempts and their responses. */
export function DeliveryRow({ delivery, url, example, refusal, onRedeliver }: Props) {
  return (
    <li className="px-3 py-1.5">
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3">
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          <Badge tone={statusTones[delivery.status]}>{list.statuses[delivery.status]}</Badge>
          <code className="font-mono text-xs font-medium break-all">{delivery.event}</code>
          <Subject subject={delivery.subject} />
          {delivery.redeliveryOf !== null && <span className="text-xs text-muted">{text.again(delivery.redeliveryOf)}</span>}
          <span className="text-xs text-muted">
            <Time at={delivery.createdAt} />
            {delivery.nextAttemptAt && (
              <>
                {" · "}
                {text.next} <Time at={delivery.nextAttemptAt} />
              </>
            )}
          </span>
        </div>
        <Button size="sm" command refusal={refusal} aria-label={text.redeliverOf(delivery.event, delivery.id)} onClick={onRedeliver}>
          {text.redeliver}
        </Button>
      </div>
      <details className="mt-0.5">
        <summary className="min-h-6 text-xs text-muted">{text.attempts(delivery.attempts.length)}</summary>
        <div className="flex flex-col gap-3 pt-1">
          {delivery.attempts.map((attempt, index) => (
            <div key={index} className="flex flex-col gap-1">
              <p className="flex flex-wrap items-center gap-x-3">
                <span className="font-medium">{text.attempt(index + 1)}</span>
                <Badge tone={attempt.responseStatus !== null && attempt.responseStatus < 300 ? "ok" : "bad"}>{attempt.responseStatus ?? text.noAnswer}</Badge>
                <span className="text-xs text-muted">
                  {attempt.durationMs < 1_000 ? `${attempt.durationMs} ms` : duration(attempt.durationMs)} · <Time at={attempt.at} exact />
                </span>
              </p>
              {attempt.error && <p className="text-xs break-words text-bad">{attempt.error}</p>}
              {attempt.responseSnippet && <Text label={text.answer} value={attempt.responseSnippet} />}
            </div>
          ))}
          <Facts
            facts={[
              [text.request, <code key="url" className="font-mono text-xs break-all">{`POST ${url}`}</code>],
              [text.message, <code key="id" className="font-mono text-xs break-all">{delivery.messageId}</code>],
              [text.workflow, <WorkflowLink key="workflow" workflow={delivery} />],
            ]}
          />
          {example && (
            <div>
              <p className="text-xs text-muted" title={text.exampleHint}>
                {text.example}
              </p>
              <Text label={text.example} value={JSON.stringify(example, null, 2)} />
            </div>
          )}
        </div>
      </details>
    </li>
  );
}

/** Shows the record that a message is about, as a link if the record has a page. */
function Subject({ subject }: Pick<Delivery, "subject">) {
  const { slug: project } = useProject();
  if (subject === null || subject.kind === "webhook") return null;
  const page = pageOf(subject, project);
  if (!page) return <span className="text-xs">{subjectOf(subject)}</span>;
  return (
    <Link {...(page as LinkProps)} className="inline-flex min-h-6 items-center text-xs break-words text-link underline underline-offset-2">
      {subjectOf(subject)}
    </Link>
  );
}

function Text({ label, value }: { label: string; value: string }) {
  return (
    <pre tabIndex={0} role="region" aria-label={label} className="max-h-56 overflow-auto rounded-md border bg-canvas p-2 font-mono text-xs whitespace-pre-wrap [overflow-wrap:anywhere]">
      {value}
    </pre>
  );
}
