import { useState } from "react";
import { useChange } from "@/api/change";
import type { Schemas } from "@/api/client";
import { strings as frame } from "@/strings";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Failure } from "@/ui/Failure";
import { Field } from "@/ui/Field";
import { Select } from "@/ui/Select";
import { parseChannels, parseClaims } from "./claims";
import { strings } from "./strings";

type Publisher = Schemas["TrustedPublisher"];

/** Adds a publisher to the list, which the API takes as a whole. */
export function NewPublisher({ publishers, onClose }: { publishers: Publisher[]; onClose: () => void }) {
  const [issuer, setIssuer] = useState("https://token.actions.githubusercontent.com");
  const [audience, setAudience] = useState(location.origin);
  const [claims, setClaims] = useState("repository = \nref = refs/heads/main");
  const [role, setRole] = useState<Publisher["role"]>("editor");
  const [channels, setChannels] = useState("");
  const add = useChange<void, unknown>({
    run: (client): Promise<{ data?: unknown }> =>
      client.PUT("/v1/ota/trusted-publishers", {
        body: [...publishers, { issuer, audience, claims: parseClaims(claims), role, channels: parseChannels(channels) }],
      }),
    done: strings.done.added,
    onDone: onClose,
  });
  return (
    <Dialog open onClose={onClose} title={strings.add}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          add.mutate();
        }}
      >
        <Field label={strings.issuer} hint={strings.issuerHint}>
          <input className="field" type="url" required value={issuer} onChange={(event) => setIssuer(event.target.value)} />
        </Field>
        <Field label={strings.audience} hint={strings.audienceHint}>
          <input className="field" required value={audience} onChange={(event) => setAudience(event.target.value)} />
        </Field>
        <Field label={strings.claims} hint={strings.claimsHint}>
          <textarea className="field h-24 py-1.5 font-mono" required spellCheck={false} value={claims} onChange={(event) => setClaims(event.target.value)} />
        </Field>
        <Field label={strings.role}>
          <Select
            className="w-full"
            value={role}
            onChange={(value) => setRole(value as Publisher["role"])}
            options={(["editor", "viewer"] as const).map((each) => ({ value: each, label: strings.roles[each] }))}
          />
        </Field>
        <Field label={strings.channels} hint={strings.channelsHint}>
          <input className="field" value={channels} onChange={(event) => setChannels(event.target.value)} />
        </Field>
        {add.error && (
          <>
            <Failure error={add.error} />
            {add.error.fields.map((each) => (
              <p key={each.field} role="alert" className="text-xs text-bad">
                {`${each.field}: ${each.message}`}
              </p>
            ))}
          </>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{frame.dialog.cancel}</Button>
          <Button kind="primary" type="submit" busy={add.isPending}>
            {frame.dialog.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
