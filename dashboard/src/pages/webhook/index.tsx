import { Page } from "@/ui/Page";
import { strings } from "./strings";

export default function Webhook() {
  return <Page title={strings.title}>{null}</Page>;
}
