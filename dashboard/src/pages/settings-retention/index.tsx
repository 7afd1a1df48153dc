import { useApi } from "@/api/project";
import { Panel } from "@/ui/Panel";
import { SettingsPage } from "@/ui/SettingsPage";
import { Cleanup } from "./Cleanup";
import { RetentionForm } from "./RetentionForm";
import { strings } from "./strings";

/** How long data stays, and what a cleanup would delete. */
export default function SettingsRetention() {
  const settings = useApi().useQuery("get", "/v1/ota/settings");
  return (
    <SettingsPage title={strings.title}>
      <Panel title={strings.days} query={settings} placeholder="h-65 sm:h-31">
        {(settings) => <RetentionForm key={JSON.stringify(settings)} settings={settings} />}
      </Panel>
      <Cleanup />
    </SettingsPage>
  );
}
