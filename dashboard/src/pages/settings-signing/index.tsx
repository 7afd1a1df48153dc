import { useState } from "react";
import { useRefusal } from "@/api/access";
import { asProblem } from "@/api/problem";
import { useApi } from "@/api/project";
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
  const query = useApi().useQuery("get", "/v1/ota/code-signing", {}, { enabled: refusal === null });
  // A 404 means that there is no key. It is not a failure.
  const isNone = query.isError && asProblem(query.error).status === 404;
  return (
    <SettingsPage
      title={strings.title}
      lead={strings.lead}
      actions={
        <Button kind="danger" refusal={refusal ?? (query.data && !isNone ? null : strings.none)} onClick={() => setRemoves(true)}>
          {strings.remove}
        </Button>
      }
    >
      {isNone || refusal ? (
        <Panel title={strings.current}>
          <p className="text-muted">{refusal ?? strings.none}</p>
        </Panel>
      ) : (
        <Panel title={strings.current} query={query}>
          {(signing) => (
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
      {!refusal && (query.data || query.isError) && (
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
