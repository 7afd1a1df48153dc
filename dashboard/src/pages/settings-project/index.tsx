import { useApi } from "@/api/project";
import { Panel } from "@/ui/Panel";
import { SettingsPage } from "@/ui/SettingsPage";
import { DeleteProject } from "./DeleteProject";
import { EmergencyStop } from "./EmergencyStop";
import { SettingsForm } from "./SettingsForm";
import { strings } from "./strings";

/** The project's settings, its emergency stop, and its end. */
export default function SettingsProject() {
  const settings = useApi().useQuery("get", "/v1/ota/settings");
  return (
    <SettingsPage title={strings.title}>
      <EmergencyStop />
      <Panel title={strings.settings} query={settings} placeholder="h-80 sm:h-62">
        {(settings) => <SettingsForm key={JSON.stringify(settings)} settings={settings} />}
      </Panel>
      <DeleteProject />
    </SettingsPage>
  );
}
