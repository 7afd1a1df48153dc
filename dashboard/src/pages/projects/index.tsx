import { Page } from "@/ui/Page";
import { strings } from "./strings";

export default function Projects() {
  return <Page title={strings.title}>{null}</Page>;
}
