import { Link } from "@tanstack/react-router";
import { Circle, CircleCheck } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useRefusal } from "@/api/access";
import { useAttention } from "@/api/attention";
import { useProject } from "@/api/project";
import { NewKey } from "@/pages/settings-keys/NewKey";
import { Button } from "@/ui/Button";
import { Command } from "@/ui/Command";
import { Copy } from "@/ui/Copy";
import { Panel } from "@/ui/Panel";
import { appConfiguration, manifestAddress, publishCommand } from "./configuration";
import { strings } from "./strings";

/** The lazily loaded list of first steps. Each is ticked by the data of the server. */
export default function FirstSteps({ onHide }: { onHide: () => void }) {
  const { slug } = useProject();
  const refusal = useRefusal("admin");
  const setup = useAttention().data?.setup;
  const [creates, setCreates] = useState(false);
  const address = manifestAddress(location.origin, slug);
  const configuration = appConfiguration(address, "production", setup?.signingKeyId ?? null);
  const done = [setup?.hasApiKey, setup?.hasRelease].filter(Boolean).length;
  const { key, app, publish, device } = strings;
  return (
    <Panel
      title={strings.title}
      actions={
        <Button kind="quiet" size="sm" onClick={onHide}>
          {strings.hide}
        </Button>
      }
    >
      <p className="mb-3 text-muted">{strings.lead(done, 4)}</p>
      <ol className="flex flex-col gap-5">
        <Step title={key.title} isDone={setup?.hasApiKey}>
          <p className="text-muted">{key.text}</p>
          {!setup?.hasApiKey && (
            <div>
              <Button size="sm" refusal={refusal} onClick={() => setCreates(true)}>
                {key.button}
              </Button>
            </div>
          )}
        </Step>
        <Step title={app.title}>
          <p className="text-muted">{app.address}</p>
          <Command line={address} />
          <p className="text-muted">{app.text}</p>
          <div className="flex max-w-full items-start gap-1 rounded-md border bg-canvas py-1 pr-1 pl-3">
            <pre aria-label={app.snippet} role="region" className="min-w-0 flex-1 font-mono text-xs whitespace-pre-wrap wrap-anywhere">
              {configuration}
            </pre>
            <Copy text={configuration} />
          </div>
          <p className="text-xs text-muted">{[app.other, setup?.signingKeyId && app.signed].filter(Boolean).join(" ")}</p>
        </Step>
        <Step title={publish.title} isDone={setup?.hasRelease}>
          <p className="text-muted">{publish.text}</p>
          <Command line={publishCommand(location.origin, slug)} />
          <Link to="/$project/publish" params={{ project: slug }} className="text-link underline underline-offset-2">
            {publish.link}
          </Link>
        </Step>
        <Step title={device.title}>
          <p role="status" className="text-muted">
            {device.text}
          </p>
        </Step>
      </ol>
      {creates && <NewKey onClose={() => setCreates(false)} />}
    </Panel>
  );
}

/** A step with its tick. Without `isDone` it is done only when the whole list disappears. */
function Step({ title, isDone = false, children }: { title: string; isDone?: boolean; children: ReactNode }) {
  const Icon = isDone ? CircleCheck : Circle;
  return (
    <li className="flex min-w-0 gap-3">
      <Icon size={18} aria-label={isDone ? strings.done : strings.open} role="img" className={isDone ? "mt-0.5 shrink-0 text-ok" : "mt-0.5 shrink-0 text-faint"} />
      <div className="flex min-w-0 flex-1 flex-col gap-1.5">
        <h3 className="font-medium">{title}</h3>
        {children}
      </div>
    </li>
  );
}
