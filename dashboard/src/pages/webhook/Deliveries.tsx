import { useRefusal } from "@/api/access";
import { useChange } from "@/api/change";
import type { Schemas } from "@/api/client";
import { usePages } from "@/api/pages";
import { useApi } from "@/api/project";
import { strings as list } from "@/pages/webhooks/strings";
import { strings as frame } from "@/strings";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { SearchField } from "@/ui/SearchField";
import { optionsOf, Select } from "@/ui/Select";
import { usePageSearch } from "@/ui/usePageSearch";
import { DeliveryRow } from "./Delivery";
import { strings } from "./strings";

const text = strings.deliveries;

/** Lists the webhook's deliveries, newest first. */
export function Deliveries({ webhook }: { webhook: Schemas["Webhook"] }) {
  const refusal = useRefusal("editor");
  const [view, setView] = usePageSearch("/$project/webhooks/$id");
  const query = usePages<Schemas["WebhookDelivery"]>(`/v1/ota/webhooks/${webhook.id}/deliveries`, {
    status: view.status || undefined,
    event: view.event || undefined,
  });
  const events = useApi().useQuery("get", "/v1/ota/webhooks/events");
  // The generated types omit fields named example.
  const examples = (events.data ?? []) as { event: string; example?: Schemas["WebhookMessage"] }[];
  const redeliver = useChange<number, unknown>({
    run: (client, deliveryId, key): Promise<{ data?: unknown }> =>
      client.POST("/v1/ota/webhooks/{id}/deliveries/{deliveryId}/redeliver", {
        params: { path: { id: webhook.id, deliveryId }, header: { "Idempotency-Key": key } },
      }),
    done: strings.done.redelivered,
    toastErrors: true,
  });
  return (
    <Panel
      title={text.title}
      query={query}
      flush
      placeholder="h-64"
      actions={
        <>
          <Select
            label={text.status}
            value={view.status}
            onChange={(status) => setView({ status })}
            options={[{ value: "", label: text.anyStatus }, ...optionsOf(list.statuses)]}
          />
          <SearchField label={text.event} value={view.event} onSearch={(event) => setView({ event })} />
        </>
      }
      isEmpty={(rows) => rows.length === 0}
      empty={<p className="p-3 text-muted">{view.status || view.event ? text.noMatch : text.empty}</p>}
    >
      {(rows) => (
        <>
          <ul className="divide-y">
            {rows.map((delivery) => (
              <DeliveryRow
                key={delivery.id}
                delivery={delivery}
                url={webhook.url}
                example={examples.find((each) => each.event === delivery.event)?.example}
                refusal={refusal}
                onRedeliver={() => redeliver.mutate(delivery.id)}
              />
            ))}
          </ul>
          {query.more && (
            <div className="border-t p-2 text-center">
              <Button kind="quiet" onClick={query.more}>
                {frame.table.more}
              </Button>
            </div>
          )}
        </>
      )}
    </Panel>
  );
}
