import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useRefusal } from "@/api/access";
import { useProject } from "@/api/project";
import { Button } from "@/ui/Button";
import { DangerDialog } from "@/ui/DangerDialog";
import { Facts } from "@/ui/Facts";
import { Panel } from "@/ui/Panel";
import { SettingsPage } from "@/ui/SettingsPage";
import { Time } from "@/ui/Time";
import { KeyForm } from "./KeyForm";
import { strings } from "./strings";

/** The page of the key that signs updates. */
export default function SettingsSigning() {
  const refusal = useRefusal("admin");
  const [removes, setRemoves] = useState(false);
  const { client } = useProject();
  const query = useQuery({
    queryKey: ["get", "/v1/ota/code-signing"],
    enabled: refusal === null,
    // The response is 204 if the project does not have a key.
    queryFn: async ({ signal }) => (await client.GET("/v1/ota/code-signing", { signal })).data ?? null,
  });
  const isNone = query.data === null;
  return (
    <SettingsPage
      title={strings.title}
      lead={strings.lead}
      actions={
        query.data && (
          <Button kind="danger" command={strings.removeCommand} refusal={refusal} onClick={() => setRemoves(true)}>
            {strings.remove}
          </Button>
        )
      }
    >
      {isNone || refusal ? (
        <Panel title={strings.current}>
          <p className="text-muted">{refusal ?? strings.none}</p>
        </Panel>
      ) : (
        <Panel title={strings.current} query={query}>
          {(signing) => signing && (
            <Facts
              facts={[
                [strings.facts.keyId, signing.keyId],
                [strings.facts.algorithm, signing.algorithm],
                [strings.facts.expires, <Time key="expires" at={signing.notAfter} />],
                [strings.facts.from, <Time key="from" at={signing.notBefore} exact />],
                [strings.facts.fingerprint, <code key="fingerprint" className="font-mono text-xs break-all">{signing.fingerprint}</code>],
              ]}
            />
          )}
        </Panel>
      )}
      {/* Shown once the height of the key is known, so that it does not jump. */}
      {!refusal && (query.data !== undefined || query.isError) && (
        <Panel title={strings.set}>
          <KeyForm refusal={refusal} />
        </Panel>
      )}
      {removes && (
        <DangerDialog
          onClose={() => setRemoves(false)}
          title={strings.remove}
          text={strings.removeText}
          done={strings.removed}
          run={(client) => client.DELETE("/v1/ota/code-signing")}
        />
      )}
    </SettingsPage>
  );
}
