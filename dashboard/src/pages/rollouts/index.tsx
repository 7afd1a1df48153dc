import { Page } from "@/ui/Page";
import { strings } from "./strings";

export default function Rollouts() {
  return <Page title={strings.title}>{null}</Page>;
}
