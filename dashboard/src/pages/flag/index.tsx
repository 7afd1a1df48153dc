import { Page } from "@/ui/Page";
import { strings } from "./strings";

export default function Flag() {
  return <Page title={strings.title}>{null}</Page>;
}
