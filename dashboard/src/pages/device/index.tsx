import { Page } from "@/ui/Page";
import { strings } from "./strings";

export default function Device() {
  return <Page title={strings.title}>{null}</Page>;
}
