import { Page } from "@/ui/Page";
import { strings } from "./strings";

export default function ErrorGroup() {
  return <Page title={strings.title}>{null}</Page>;
}
