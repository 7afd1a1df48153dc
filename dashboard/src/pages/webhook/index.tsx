import { useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useRefusal } from "@/api/access";
import { useChange } from "@/api/change";
import type { Schemas } from "@/api/client";
import { useApi, useProject } from "@/api/project";
import { stateOf, stateTones } from "@/pages/webhooks/state";
import { strings as list } from "@/pages/webhooks/strings";
import { WebhookDialog } from "@/pages/webhooks/WebhookDialog";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { DangerDialog } from "@/ui/DangerDialog";
import { Facts } from "@/ui/Facts";
import { Menu } from "@/ui/Menu";
import { Page } from "@/ui/Page";
import { Panel } from "@/ui/Panel";
import { SecretDialog } from "@/ui/SecretDialog";
import { Time } from "@/ui/Time";
import { Deliveries } from "./Deliveries";
import { RecoverDialog } from "./RecoverDialog";
import { strings } from "./strings";

type Webhook = Schemas["Webhook"];

/** The page of a webhook and its deliveries. */
export default function WebhookPage() {
  const { id } = useParams({ from: "/$project/webhooks/$id" });
  const { slug: project } = useProject();
  const navigate = useNavigate();
  const refusal = useRefusal("editor");
  const [dialog, setDialog] = useState<"edit" | "rotate" | "revoke" | "recover" | "remove" | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const query = useApi().useQuery("get", "/v1/ota/webhooks/{id}", { params: { path: { id: Number(id) } } });
  const webhook = query.data;
  const test = useChange<number, unknown>({
    run: (client, id, key): Promise<{ data?: unknown }> =>
      client.POST("/v1/ota/webhooks/{id}/test", { params: { path: { id }, header: { "Idempotency-Key": key } } }),
    done: strings.done.test,
    toastErrors: true,
  });
  const close = () => setDialog(null);
  return (
    <Page
      title={webhook ? webhook.description || webhook.url : strings.loading}
      beside={webhook && <Badge tone={stateTones[stateOf(webhook)]}>{list.states[stateOf(webhook)]}</Badge>}
      actions={
        webhook && (
          <>
            <Button command={strings.commands.test} refusal={refusal} busy={test.isPending} onClick={() => test.mutate(webhook.id)}>
              {strings.test}
            </Button>
            <Button command={strings.commands.edit} refusal={refusal} onClick={() => setDialog("edit")}>
              {strings.edit}
            </Button>
            <Menu
              trigger={<Button>{strings.more}</Button>}
              items={[
                { label: strings.recover, command: strings.commands.recover, refusal, onSelect: () => setDialog("recover") },
                { label: strings.rotate, command: strings.commands.rotate, refusal, onSelect: () => setDialog("rotate") },
                { label: strings.revoke, command: strings.commands.revoke, refusal, danger: true, onSelect: () => setDialog("revoke") },
                { label: strings.remove, command: strings.commands.remove, refusal, danger: true, onSelect: () => setDialog("remove") },
              ]}
            />
          </>
        )
      }
    >
      <Panel title={strings.facts.title} query={query} placeholder="h-40">
        {(webhook) => <FactsOf webhook={webhook} />}
      </Panel>
      {webhook && <Deliveries webhook={webhook} />}
      {webhook && dialog === "edit" && <WebhookDialog webhook={webhook} onClose={close} />}
      {webhook && dialog === "recover" && <RecoverDialog id={webhook.id} onClose={close} />}
      {webhook && (dialog === "rotate" || dialog === "revoke") && (
        <DangerDialog
          onClose={close}
          title={strings[dialog]}
          text={dialog === "rotate" ? strings.rotateText : strings.revokeText}
          done={dialog === "rotate" ? strings.done.rotated : strings.done.revoked}
          run={(client, _reason, key) =>
            client.POST("/v1/ota/webhooks/{id}/rotate-secret", {
              params: { path: { id: webhook.id }, header: { "Idempotency-Key": key } },
              body: { immediately: dialog === "revoke" },
            })
          }
          onDone={(output) => setSecret((output as Schemas["CreatedWebhook"]).secret)}
        />
      )}
      {webhook && dialog === "remove" && (
        <DangerDialog
          onClose={close}
          title={`${strings.remove}: ${webhook.description || webhook.url}`}
          text={strings.removeText}
          confirm={strings.remove}
          done={strings.done.removed}
          run={(client) => client.DELETE("/v1/ota/webhooks/{id}", { params: { path: { id: webhook.id } } })}
          onDone={() => void navigate({ to: "/$project/webhooks", params: { project } })}
        />
      )}
      {secret && <SecretDialog title={strings.newSecret} secret={secret} onClose={() => setSecret(null)} />}
    </Page>
  );
}

function FactsOf({ webhook }: { webhook: Webhook }) {
  const text = strings.facts;
  const facts: [string, React.ReactNode][] = [
    [text.url, <code key="url" className="font-mono text-xs break-all">{webhook.url}</code>],
    [text.format, list.form.formats[webhook.format]],
    [text.events, webhook.events.includes("*") ? list.all : webhook.events.join(", ")],
    [text.secret, <code key="secret" className="font-mono text-xs">{webhook.secretHint}</code>],
    [text.created, <Time key="made" at={webhook.createdAt} />],
  ];
  if (webhook.oldSecretUntil) facts.push([text.oldUntil, <Time key="old" at={webhook.oldSecretUntil} exact />]);
  if (webhook.failingSince) facts.push([text.failing, <Time key="failing" at={webhook.failingSince} />]);
  if (webhook.disabledReason) facts.push([text.disabled, webhook.disabledReason]);
  return <Facts facts={facts} />;
}
