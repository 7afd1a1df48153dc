import type { Schemas } from "@/api/client";
import { useTagged } from "@/api/tagged";
import { Panel } from "@/ui/Panel";
import { SettingsPage } from "@/ui/SettingsPage";
import { DeleteProject } from "./DeleteProject";
import { EmergencyStop } from "./EmergencyStop";
import { SettingsForm } from "./SettingsForm";
import { strings } from "./strings";

/** The page of the project's settings, its emergency stop, and its deletion. */
export default function SettingsProject() {
  const settings = useTagged<Schemas["ProjectSettings"]>("/v1/ota/settings");
  return (
    <SettingsPage title={strings.title}>
      <EmergencyStop />
      <Panel title={strings.settings} query={settings} placeholder="h-80 sm:h-62">
        {(stored) => <SettingsForm stored={stored} />}
      </Panel>
      <DeleteProject />
    </SettingsPage>
  );
}
