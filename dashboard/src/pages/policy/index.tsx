import { Page } from "@/ui/Page";
import { strings } from "./strings";

export default function Policy() {
  return <Page title={strings.title}>{null}</Page>;
}
