import { Panel } from "@/ui/Panel";
import { SettingsPage } from "@/ui/SettingsPage";
import { ChangePassword } from "./ChangePassword";
import { Passkeys } from "./Passkeys";
import { Providers } from "./Providers";
import { strings } from "./strings";

/** The page of the signed-in person's password, passkeys and identities. */
export default function SettingsSignIn() {
  return (
    <SettingsPage title={strings.title} lead={strings.lead}>
      <Panel title={strings.password.title}>
        <ChangePassword />
      </Panel>
      <Passkeys />
      <Providers />
    </SettingsPage>
  );
}
