import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useMemo, useState } from "react";
import { useRefusal } from "@/api/access";
import { useProject } from "@/api/project";
import { usePaletteCommands } from "@/app/shortcuts";
import { LeaveGuard } from "@/form/LeaveGuard";
import { SaveBar } from "@/form/SaveBar";
import { strings as frame } from "@/strings";
import { Button } from "@/ui/Button";
import { DangerDialog } from "@/ui/DangerDialog";
import { loadCode } from "@/ui/loadCode";
import { Page } from "@/ui/Page";
import { Placeholder } from "@/ui/Panel";
import { Tabs } from "@/ui/Tabs";
import { Channels } from "./Channels";
import { changesOf } from "./diff";
import { draftOf, isCompleteRule, type Draft, type Flag } from "./draft";
import { Explain } from "./Explain";
import { rebased } from "./rebase";
import { Faster, Review } from "./Review";
import { RulesTab } from "./RulesTab";
import { Schedules } from "./Schedules";
import { strings } from "./strings";
import { useSegments } from "./useSegments";
import { Variations } from "./Variations";

// This code is loaded when the tab is opened.
const Health = lazy(() => loadCode(() => import("./Health")));

/** Edits a draft of the flag. Changes are stored only after a review. */
export function Editor({ flag, etag, reload }: { flag: Flag; etag: string; reload: () => Promise<{ data?: { flag: Flag; etag: string } }> }) {
  const { slug: project } = useProject();
  const navigate = useNavigate();
  const refusal = useRefusal("editor");
  // The draft is based on the flag as it was when editing began.
  const [base, setBase] = useState({ flag, etag });
  const [draft, setDraft] = useState<Draft>(() => draftOf(flag));
  const [dialog, setDialog] = useState<"review" | "remove" | null>(null);
  const before = draftOf(base.flag);
  const segments = useSegments([...before.rules, ...draft.rules].map(({ segmentKey }) => segmentKey));
  const changes = changesOf(before, draft, segments);
  const isChanged = changes.length > 0;
  const load = (next: { flag: Flag; etag: string }) => {
    setBase(next);
    setDraft(draftOf(next.flag));
  };
  const rebase = (next: { flag: Flag; etag: string }) => {
    setBase(next);
    setDraft(rebased(before, draft, draftOf(next.flag)));
  };
  // Without edits, a change by someone else is shown immediately.
  if (base.etag !== etag && !isChanged) load({ flag, etag });
  const isBehind = base.etag !== etag && dialog === null;
  const unready = !isChanged ? strings.unchanged : isComplete(draft) ? null : strings.incomplete;
  usePaletteCommands(
    useMemo(() => {
      const label = draft.enabled ? strings.commands.off : strings.commands.on;
      const run = () => {
        setDraft((draft) => ({ ...draft, enabled: !draft.enabled }));
        setDialog("review");
      };
      return refusal ? [] : [{ id: label, label, run }];
    }, [draft.enabled, refusal]),
  );
  const part = { draft, onChange: (change: Partial<Draft>) => setDraft({ ...draft, ...change }), disabled: refusal !== null };
  const tabs = strings.tabs;
  const schedules = <Schedules flagId={flag.id} />;
  const saving = (
    <>
      {isChanged && <Button command={strings.commands.discard} onClick={() => load({ flag, etag })}>{strings.discard}</Button>}
      <Button kind="primary" command={strings.commands.save} refusal={refusal ?? unready} onClick={() => setDialog("review")}>
        {strings.review(changes.length)}
      </Button>
    </>
  );
  return (
    <Page
      title={base.flag.key}
      lead={base.flag.description || (base.flag.name !== base.flag.key && base.flag.name)}
      actions={
        <>
          <Button command={strings.commands.remove} refusal={refusal} onClick={() => setDialog("remove")}>
            {strings.remove}
          </Button>
          <div className="hidden gap-2 md:flex">{saving}</div>
        </>
      }
    >
      <LeaveGuard when={isChanged && dialog !== "remove"} />
      {isBehind && isChanged && <Faster flagId={flag.id} onReload={() => load({ flag, etag })} onRebase={() => rebase({ flag, etag })} />}
      <Tabs
        label={tabs.label}
        tabs={[
          { id: "rules", label: tabs.rules, content: <RulesTab {...part} flag={base.flag} before={before} segments={segments} /> },
          { id: "channels", label: tabs.channels, content: <div className="flex flex-col gap-4"><Channels {...part} flagId={flag.id} copyRefusal={refusal ?? (isChanged ? strings.channels.saveFirst : null)} />{schedules}</div> },
          { id: "variations", label: tabs.variations, content: <div className="flex flex-col gap-4"><Variations {...part} flagType={flag.flagType} />{schedules}</div> },
          { id: "explain", label: tabs.explain, content: <Explain flag={base.flag} isChanged={isChanged} /> },
          { id: "health", label: tabs.health, content: <Suspense fallback={<Placeholder className="h-64" />}><Health flag={base.flag} /></Suspense> },
        ]}
      />
      {isChanged && <SaveBar>{saving}</SaveBar>}
      {dialog === "review" && (
        <Review
          flagId={flag.id}
          flagKey={flag.key}
          etag={base.etag}
          draft={draft}
          changes={changes}
          onClose={() => setDialog(null)}
          onSaved={async () => {
            const { data } = await reload();
            if (data) load(data);
          }}
          onReload={async () => {
            const { data } = await reload();
            if (data) load(data);
          }}
          onRebase={async () => {
            const { data } = await reload();
            if (data) rebase(data);
          }}
        />
      )}
      {dialog === "remove" && (
        <DangerDialog
          onClose={() => setDialog(null)}
          title={`${strings.remove}: ${base.flag.key}`}
          text={strings.removeText}
          confirm={strings.remove}
          typeName={base.flag.key}
          done={strings.removed}
          affected={frame.dialog.devicesOfUse}
          preview={(client, signal) => client.POST("/v1/ota/flags/{id}/delete/preview", { params: { path: { id: flag.id } }, signal })}
          run={(client) => client.DELETE("/v1/ota/flags/{id}", { params: { path: { id: flag.id }, header: { "If-Match": base.etag } } })}
          onDone={() => void navigate({ to: "/$project/flags", params: { project } })}
        />
      )}
    </Page>
  );
}

function isComplete(draft: Draft): boolean {
  return draft.rules.every(isCompleteRule) && draft.variations.every(({ name, value }) => name.trim() !== "" || value !== "");
}
