import { Page } from "@/ui/Page";
import { strings } from "./strings";

export default function Approvals() {
  return <Page title={strings.title}>{null}</Page>;
}
