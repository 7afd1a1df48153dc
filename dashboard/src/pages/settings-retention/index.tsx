import type { Schemas } from "@/api/client";
import { useTagged } from "@/api/tagged";
import { Panel } from "@/ui/Panel";
import { SettingsPage } from "@/ui/SettingsPage";
import { Cleanup } from "./Cleanup";
import { RetentionForm } from "./RetentionForm";
import { strings } from "./strings";

/** The page of retention and cleanup. */
export default function SettingsRetention() {
  const settings = useTagged<Schemas["ProjectSettings"]>("/v1/ota/settings");
  return (
    <SettingsPage title={strings.title}>
      <Panel title={strings.days} query={settings} placeholder="h-65 sm:h-31">
        {(stored) => <RetentionForm stored={stored} />}
      </Panel>
      <Cleanup />
    </SettingsPage>
  );
}
