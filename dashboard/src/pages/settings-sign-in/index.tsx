import { SettingsPage } from "@/ui/SettingsPage";
import { strings } from "./strings";

export default function SettingsSignIn() {
  return <SettingsPage title={strings.title}>{null}</SettingsPage>;
}
