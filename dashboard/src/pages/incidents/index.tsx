import { Page } from "@/ui/Page";
import { strings } from "./strings";

export default function Incidents() {
  return <Page title={strings.title}>{null}</Page>;
}
