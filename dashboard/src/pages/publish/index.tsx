import { useRef, useState } from "react";
import { useRefusal } from "@/api/access";
import { useChange } from "@/api/change";
import type { Schemas } from "@/api/client";
import { LeaveGuard } from "@/form/LeaveGuard";
import { bodyOf, type Link } from "@/linked-flags/links";
import { LinkedFlagsField } from "@/linked-flags/LinkedFlagsField";
import { strings as frame } from "@/strings";
import { Button } from "@/ui/Button";
import { Check } from "@/ui/Check";
import { Combobox } from "@/ui/Combobox";
import { Field } from "@/ui/Field";
import { loadCode } from "@/ui/loadCode";
import { NotDone } from "@/ui/NotDone";
import { Page } from "@/ui/Page";
import { Panel } from "@/ui/Panel";
import { CommitFields } from "./CommitFields";
import { DropZone } from "./DropZone";
import type { Export, Platform } from "./readFolder";
import { Review } from "./Review";
import { strings } from "./strings";
import type { Git, Progress } from "./upload";
import { UploadProgress } from "./UploadProgress";

const { form: text } = strings;

/** The page that uploads an export from a folder and publishes it. */
export default function Publish() {
  const refusal = useRefusal("editor");
  const [exported, setExported] = useState<Export | null>(null);
  const [skipped, setSkipped] = useState<Platform[]>([]);
  const [runtimeVersion, setRuntimeVersion] = useState("");
  const [message, setMessage] = useState("");
  const [git, setGit] = useState<Git>({});
  const [links, setLinks] = useState<Link[]>([]);
  const [channel, setChannel] = useState("");
  const [policy, setPolicy] = useState("");
  const [progress, setProgress] = useState<Progress | null>(null);
  const [builds, setBuilds] = useState<Schemas["Build"][] | null>(null);
  // The builds of an upload that failed half way. They are kept, so that the next try does not create them again.
  const have = useRef(new Map<string, Schemas["Build"]>());
  const parts = (exported?.platforms ?? []).filter(({ platform }) => !skipped.includes(platform));

  const send = useChange<void, Schemas["Build"][]>({
    run: async (client, _input, key) => {
      const { upload } = await loadCode(() => import("./upload"));
      const data = await upload(client, exported!, parts, { runtimeVersion: runtimeVersion.trim(), message, git, key }, have.current, setProgress);
      return { data };
    },
    subject: strings.progress.label,
    onDone: setBuilds,
  });

  /** Forgets the builds, because they would not be what the person now asks for. */
  const restart = () => {
    have.current.clear();
    setBuilds(null);
    setProgress(null);
    send.reset();
  };
  const held = send.isPending ? frame.dialog.busy : null;
  const incomplete = !exported ? text.noExport : parts.length === 0 ? text.noPlatform : !runtimeVersion.trim() ? text.noRuntime : null;

  return (
    <Page title={strings.title} lead={strings.lead}>
      <Panel title={strings.choose.title}>
        <DropZone
          exported={exported}
          held={held}
          refusal={refusal}
          onExport={(found) => {
            restart();
            setSkipped([]);
            setExported(found);
            if (found?.runtimeVersion) setRuntimeVersion(found.runtimeVersion);
          }}
        />
      </Panel>
      <Panel title={text.title}>
        <form
          className="flex max-w-2xl flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            send.mutate();
          }}
        >
          {exported && exported.platforms.length > 1 && (
            <fieldset className="flex flex-col gap-1" disabled={send.isPending}>
              <legend className="text-xs font-medium">{text.platforms}</legend>
              {exported.platforms.map(({ platform }) => (
                <Check
                  key={platform}
                  label={frame.platforms[platform]}
                  checked={!skipped.includes(platform)}
                  onChange={(event) => {
                    restart();
                    setSkipped(event.target.checked ? skipped.filter((each) => each !== platform) : [...skipped, platform]);
                  }}
                />
              ))}
            </fieldset>
          )}
          <Field label={text.runtime} hint={text.runtimeHint}>
            <input
              className="field"
              value={runtimeVersion}
              disabled={send.isPending}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => {
                restart();
                setRuntimeVersion(event.target.value);
              }}
            />
          </Field>
          <Field label={text.message}>
            <input className="field" value={message} maxLength={1000} disabled={send.isPending} onChange={(event) => setMessage(event.target.value)} />
          </Field>
          <CommitFields
            git={git}
            disabled={send.isPending}
            onChange={(changed) => {
              restart();
              setGit(changed);
            }}
          />
          <Field label={text.channel}>
            <Combobox of="channel" value={channel} onChange={setChannel} className="w-full" />
          </Field>
          <Field label={text.policy}>
            <Combobox of="policy" value={policy} onChange={setPolicy} none={text.policyNone} className="w-full" />
          </Field>
          <LinkedFlagsField links={links} onChange={setLinks} />
          {progress && !builds && <UploadProgress progress={progress} />}
          {send.error && (
            <div className="flex flex-col gap-2">
              <NotDone problem={send.error} title={send.error.code === "bad_folder" ? frame.dialog.notCarriedOut : strings.progress.stopped} />
            </div>
          )}
          {!builds && (
            <div className="flex justify-end">
              <Button kind="primary" type="submit" busy={send.isPending} refusal={refusal ?? incomplete}>
                {send.error ? text.again : text.upload}
              </Button>
            </div>
          )}
        </form>
      </Panel>
      {builds && (
        <Panel title={strings.review.title}>
          <Review
            key={builds.map((each) => each.id).join(" ")}
            builds={builds}
            channel={channel}
            policy={policy}
            message={message}
            linkedFlags={bodyOf(links)}
            refusal={refusal}
          />
        </Panel>
      )}
      <LeaveGuard when={send.isPending || builds !== null} />
    </Page>
  );
}
