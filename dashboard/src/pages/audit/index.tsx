import { Page } from "@/ui/Page";
import { strings } from "./strings";

export default function Audit() {
  return <Page title={strings.title}>{null}</Page>;
}
