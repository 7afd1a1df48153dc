import { Page } from "@/ui/Page";
import { strings } from "./strings";

export default function Rollout() {
  return <Page title={strings.title}>{null}</Page>;
}
