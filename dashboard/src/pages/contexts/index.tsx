import { Page } from "@/ui/Page";
import { strings } from "./strings";

export default function Contexts() {
  return <Page title={strings.title}>{null}</Page>;
}
