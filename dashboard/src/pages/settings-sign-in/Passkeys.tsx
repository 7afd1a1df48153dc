import { useState } from "react";
import { useChange } from "@/api/change";
import type { Schemas } from "@/api/client";
import { useApi } from "@/api/project";
import { knowsPasskeys } from "@/auth/passkey";
import { registerPasskey } from "@/auth/registerPasskey";
import { FormDialog } from "@/form/FormDialog";
import { Input } from "@/form/Input";
import { useFields } from "@/form/useFields";
import { strings as frame } from "@/strings";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { DangerDialog } from "@/ui/DangerDialog";
import { Panel } from "@/ui/Panel";
import { Time } from "@/ui/Time";
import { strings } from "./strings";

type Passkey = Schemas["Passkey"];
const text = strings.passkeys;

/** Lists the signed-in person's passkeys, to add, rename or remove them. */
export function Passkeys() {
  const api = useApi();
  const query = api.useQuery("get", "/v1/auth/passkeys");
  const methods = api.useQuery("get", "/v1/auth/methods");
  const [names, setNames] = useState<Passkey | "new" | null>(null);
  const [removes, setRemoves] = useState<Passkey | null>(null);
  const refusal = !knowsPasskeys() ? text.unknown : methods.data?.passkeys === false ? text.off : null;
  return (
    <Panel
      title={text.title}
      query={query}
      actions={
        <Button size="sm" command refusal={refusal} onClick={() => setNames("new")}>
          {text.add}
        </Button>
      }
    >
      {(passkeys) => (
        <>
          {passkeys.length === 0 && <p className="text-muted">{text.none}</p>}
          <ul className="divide-y">
            {passkeys.map((passkey) => (
              <li key={passkey.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
                <div className="min-w-0 flex-1">
                  <p className="flex flex-wrap items-center gap-2 font-medium">
                    {passkey.name} {passkey.cloneWarning && <Badge tone="bad">{text.copied}</Badge>}
                  </p>
                  <p className="text-xs text-muted">
                    {passkey.domain} · {text.made} <Time at={passkey.createdAt} /> · {text.used} <Time at={passkey.lastUsedAt} />
                  </p>
                </div>
                <Button size="sm" command aria-label={text.of(text.rename, passkey.name)} onClick={() => setNames(passkey)}>
                  {text.rename}
                </Button>
                <Button size="sm" command aria-label={text.of(text.remove, passkey.name)} onClick={() => setRemoves(passkey)}>
                  {text.remove}
                </Button>
              </li>
            ))}
          </ul>
          {names && <NameDialog passkey={names === "new" ? undefined : names} onClose={() => setNames(null)} />}
          {removes && (
            <DangerDialog
              onClose={() => setRemoves(null)}
              title={text.of(text.remove, removes.name)}
              text={text.removeText}
              confirm={text.remove}
              done={text.removed}
              run={(client) => client.DELETE("/v1/auth/passkeys/{id}", { params: { path: { id: removes.id } } })}
            />
          )}
        </>
      )}
    </Panel>
  );
}

/** Asks for a passkey's name. For a new passkey, the browser then creates it. */
function NameDialog({ passkey, onClose }: { passkey?: Passkey; onClose: () => void }) {
  const save = useChange<{ name: string }, unknown>({
    run: (client, body): Promise<{ data?: unknown }> =>
      passkey ? client.PATCH("/v1/auth/passkeys/{id}", { params: { path: { id: passkey.id } }, body }) : registerPasskey(body.name),
    done: passkey ? text.renamed : text.added,
    onDone: onClose,
  });
  const fields = useFields({ defaults: { name: passkey?.name ?? "" }, submit: save.mutate, problem: save.error });
  const title = passkey ? text.of(text.rename, passkey.name) : text.add;
  return (
    <FormDialog fields={fields} title={title} submit={passkey ? text.rename : text.add} busy={save.isPending} onClose={onClose}>
      <Input of={fields} name="name" label={text.name} maxLength={100} autoComplete="off" rules={{ required: frame.form.required }} />
    </FormDialog>
  );
}
