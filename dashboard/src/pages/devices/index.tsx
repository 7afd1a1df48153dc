import { Page } from "@/ui/Page";
import { strings } from "./strings";

export default function Devices() {
  return <Page title={strings.title}>{null}</Page>;
}
